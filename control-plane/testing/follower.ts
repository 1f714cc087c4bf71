import { io, type Socket } from 'socket.io-client';
import { expect } from 'vitest';
import type { Ack } from '../protocol/ack.ts';
import type { ConsoleUpdate } from '../protocol/console.ts';
import { opened } from './clients.ts';

/**
 * A panel that stays on a console as browsers do: when its plane fails it connects to the next one, and says which lines it
 * has already.
 */
export class Follower {
  readonly #urls: readonly string[];
  readonly #token: string;
  readonly #server_id: string;
  #socket: Socket | null = null;
  #at: number;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  #epoch = '';
  /** Texts in the order in which they came, each update as it was sent. */
  readonly texts: string[] = [];
  /** Lines that came twice, and lines left out. */
  doubled = 0;
  gaps = 0;
  #next = 1;
  connects = 0;
  /** When the last line came, by `performance.now`. */
  last_at = 0;

  constructor(
    urls: readonly string[],
    { token, server_id, first = 0 }: { token: string; server_id: string; first?: number },
  ) {
    [this.#urls, this.#token, this.#server_id, this.#at] = [urls, token, server_id, first];
    this.#connect();
  }

  /** The plane that it is connected to. */
  get url(): string {
    return this.#urls[this.#at]!;
  }

  #connect(): void {
    if (this.#ended) return;
    const socket = io(`${this.url}/server`, {
      ...{ transports: ['websocket'], forceNew: true, reconnection: false, timeout: 2_000 },
      auth: { token: this.#token },
    });
    opened.add(socket);
    this.#socket = socket;
    socket.on('connect', () => this.#join(socket));
    socket.on('console', (update: ConsoleUpdate) => this.#take(update));
    socket.once('connect_error', () => this.#tryNext(socket));
    socket.once('disconnect', () => this.#tryNext(socket));
  }

  #join(socket: Socket): void {
    this.connects += 1;
    const console = this.#epoch ? { console: { epoch: this.#epoch, next: this.#next } } : {};
    const message = { server_id: this.#server_id, rooms: ['state', 'console'], ...console };
    // not as a promise: live lines behind the answer in the same packet of TCP would be handled before it
    socket
      .timeout(10_000)
      .emit(
        'server.join',
        message,
        (error: Error | null, answer?: Ack<{ console: ConsoleUpdate | null }>) => {
          if (error || !answer?.ok) this.#tryNext(socket);
          else if (answer.console) this.#take(answer.console);
        },
      );
  }

  #tryNext(socket: Socket): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    socket.close();
    this.#at = (this.#at + 1) % this.#urls.length;
    this.#timer = setTimeout(() => this.#connect(), 150);
  }

  #take({ epoch, gap, lines }: ConsoleUpdate): void {
    if (epoch !== this.#epoch) [this.#epoch, this.#next] = [epoch, lines[0]?.seq ?? 1];
    this.gaps += gap;
    for (const { seq, text } of lines) {
      if (seq < this.#next) this.doubled += 1;
      else {
        this.gaps += seq - this.#next;
        this.texts.push(text);
        this.#next = seq + 1;
      }
    }
    if (lines.length > 0) this.last_at = performance.now();
  }

  /** Types a command; null without an answer. */
  async type(text: string): Promise<Ack | null> {
    const answer = this.#socket
      ?.timeout(10_000)
      .emitWithAck('server.command', { server_id: this.#server_id, text });
    return ((await answer?.catch(() => null)) as Ack | null | undefined) ?? null;
  }

  close(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }
}

/** Waits until the follower has got lines from after now. */
export async function goesOn(follower: Follower, lines = 20, timeout = 15_000): Promise<void> {
  const before = follower.texts.length;
  await expect.poll(() => follower.texts.length, { timeout, interval: 20 }).toBeGreaterThan(before + lines);
}

/** Every numbered line once, in order, from the first that the follower got. */
export function expectComplete({ texts, gaps, doubled }: Follower): void {
  const first = Number(texts[0]!.split(' ')[1]);
  expect(texts).toEqual(texts.map((_, i) => `line ${first + i}`));
  expect({ gaps, doubled }).toEqual({ gaps: 0, doubled: 0 });
}
