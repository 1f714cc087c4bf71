import WebSocket from 'ws';
import type { Ack } from '#control/protocol/ack.ts';
import type { ConsoleUpdate } from '#control/protocol/console.ts';

/** A viewer's socket presents this; `address` counts as its network. */
interface Credentials {
  token: string;
  address: string;
}

/**
 * A panel on a console that costs little itself, so that hundreds of them in one process measure the control plane: it
 * speaks only what it needs of Engine.IO and Socket.IO, and hands updates on as they came.
 */
export class Viewer {
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, (answer: Ack) => void>();
  #asked = 0;
  /** Handles an update of the console: its text is JSON, behind the name of the event. */
  onUpdate: (text: string) => void = () => {};

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Connects to `/server` of a control plane. Throws what a refused handshake answers. */
  static async open(url: string, { token, address }: Credentials): Promise<Viewer> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
      perMessageDeflate: false,
      headers: { 'x-forwarded-for': address },
    });
    const viewer = new Viewer(socket);
    await new Promise<void>((go, fail) => {
      socket.on('message', (data: Buffer) => {
        const text = data.toString();
        if (text === '2') socket.send('3');
        else if (text.startsWith('0')) socket.send(`40/server,${JSON.stringify({ token })}`);
        else if (text.startsWith('40')) go();
        else if (text.startsWith('44')) fail(new Error(text));
        else if (text.startsWith('42/server,["console"')) viewer.onUpdate(text);
        else if (text.startsWith('43')) viewer.#settle(text);
      });
      socket.once('error', fail);
      socket.once('close', () => fail(new Error('The connection of a viewer was lost.')));
    });
    return viewer;
  }

  #settle(text: string): void {
    const at = text.indexOf('[');
    const id = Number(text.slice('43/server,'.length, at));
    this.#answers.get(id)?.((JSON.parse(text.slice(at)) as [Ack])[0]);
    this.#answers.delete(id);
  }

  /** Sends a request; throws its refusal. */
  async request(event: string, message: object): Promise<void> {
    const id = ++this.#asked;
    const answered = new Promise<Ack>((go) => this.#answers.set(id, go));
    this.#socket.send(`42/server,${id}${JSON.stringify([event, message])}`);
    const answer = await answered;
    if (!answer.ok) throw new Error(`${event}: ${answer.description}`);
  }

  close(): void {
    this.#socket.close();
  }
}

/** The update in what `onUpdate` gets. */
export const updateIn = (text: string): ConsoleUpdate =>
  (JSON.parse(text.slice('42/server,'.length)) as [string, ConsoleUpdate])[1];
