import { io, type Socket } from 'socket.io-client';
import type { z } from 'zod';
import type { PlanePlace } from '#db/hosting/planes/read.ts';
import type { Versions } from '#db/hosting/planes/rules.ts';
import { type RefusalCode, Refused, refusals } from '#db/platform/errors.ts';
import { unixHttpAgent } from '#db/platform/runtime/unix-http-agent.ts';
import type { Ack } from '../protocol/ack.ts';
import {
  type PlaneEvent,
  type PlaneEventName,
  type PlaneEvents,
  type PlaneRequests,
  planeEvents,
  planeRequests,
} from '../protocol/plane.ts';

const connect_timeout_ms = 2_000;

type RequestName = keyof typeof planeRequests;
type Message<E extends RequestName> = z.input<(typeof planeRequests)[E]['input']>;
type Result<E extends RequestName> = z.output<(typeof planeRequests)[E]['output']>;

interface Options {
  own_id: string;
  versions: Versions;
  /** Seals that this plane speaks to another one now. */
  prove(to: string): string;
  /** What the other plane sends of its own accord. */
  events: { [E in PlaneEventName]: (link: PlaneLink, message: PlaneEvent<E>) => void };
  onClosed(link: PlaneLink): void;
}

/** The connection to one other plane, open from the first `opened` until it is lost: then another one takes its place. */
export class PlaneLink {
  readonly plane_id: string;
  /**
   * Resolves once both speak a common version. Rejects with `plane_away` when the plane cannot be reached or is another
   * one, and with `plane_protocol` when there is no common version.
   */
  readonly opened: Promise<void>;
  readonly #socket: Socket<PlaneEvents, PlaneRequests>;

  constructor({ id, address }: PlanePlace, { own_id, versions, prove, events, onClosed }: Options) {
    this.plane_id = id;
    const unix = address.startsWith('unix:');
    this.#socket = io(`${unix ? 'http://localhost' : address}/plane`, {
      path: '/socket.io',
      transports: ['websocket'],
      forceNew: true,
      // whoever needs the plane opens another link
      reconnection: false,
      timeout: connect_timeout_ms,
      ...(unix ? { agent: unixHttpAgent(address.slice('unix:'.length)) as never } : {}),
      auth: {
        ...{ from: own_id, to: id, proof: prove(id) },
        protocol: [versions.min, versions.max],
      },
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.opened = promise;
    promise.catch(() => {});
    let ended = false;
    const end = (code: RefusalCode) => {
      if (ended) return;
      ended = true;
      reject(new Refused(code));
      clearTimeout(timer);
      this.#socket.disconnect();
      onClosed(this);
    };
    // one that connects and says nothing
    const timer = setTimeout(() => end('plane_away'), 2 * connect_timeout_ms);
    this.#socket.on('welcome', () => {
      clearTimeout(timer);
      resolve();
    });
    this.#socket.on('connect_error', (error: Error & { data?: { error?: string } }) =>
      end(error.data?.error === 'plane_protocol' ? 'plane_protocol' : 'plane_away'),
    );
    this.#socket.on('disconnect', () => end('plane_away'));
    this.#listen('agent', events.agent);
    this.#listen('lines', events.lines);
    this.#listen('stats', events.stats);
  }

  #listen<E extends PlaneEventName>(
    name: E,
    handle: (link: PlaneLink, message: PlaneEvent<E>) => void,
  ): void {
    const socket = this.#socket as unknown as Socket;
    socket.on(name as string, (message: unknown) => {
      const parsed = planeEvents[name].safeParse(message);
      if (parsed.success) handle(this, parsed.data as PlaneEvent<E>);
    });
  }

  /** Sends a request. Throws the refusal of the other plane, and `plane_away` without an answer: what then happened is unknown. */
  async request<E extends RequestName>(
    event: E,
    message: Message<E>,
    timeout_ms: number,
  ): Promise<Result<E>> {
    const answer = await this.#answerTo(event, message, timeout_ms);
    if (answer && !answer.ok)
      throw new Refused(Object.hasOwn(refusals, answer.error) ? (answer.error as RefusalCode) : 'plane_away');
    const { ok: _, ...result } = answer ?? { ok: true };
    const parsed = planeRequests[event].output.safeParse(result);
    if (!parsed.success) throw new Refused('plane_away');
    return parsed.data as Result<E>;
  }

  /** The answer; null when the link was lost or the time ran out. */
  #answerTo(event: string, message: object, timeout_ms: number): Promise<Ack<object> | null> {
    const socket = this.#socket as unknown as Socket;
    return new Promise((done) => {
      const settle = (answer: Ack<object> | null) => {
        clearTimeout(timer);
        socket.off('disconnect', lost);
        done(answer);
      };
      const lost = () => settle(null);
      const timer = setTimeout(lost, timeout_ms);
      if (!socket.connected) return lost();
      socket.once('disconnect', lost);
      socket.emit(event, message, settle);
    });
  }

  close(): void {
    this.#socket.disconnect();
  }
}
