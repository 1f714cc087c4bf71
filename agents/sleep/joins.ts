import { connect, type Socket } from 'node:net';
import { serverLoader } from '#db/hosting/server-kinds/data/loaders.ts';
import { startingAnswer, upAnswer } from './answers.ts';
import { max_held } from './limits.ts';

/** A player waits this long: the game itself gives up after 30 s. */
export const hold_ms = 25_000;
/** Pause before the game is connected to again. */
const retry_ms = 250;
/** Most bytes that a waiting client may send after the start of its login. */
const max_more_bytes = 4_096;

/** Where the game is, once it is up. */
export interface Game {
  host: string;
  port: number;
  loader: string | null;
}
interface Held {
  bytes: Buffer;
  /** It is not one of the waiting connections any more. */
  uncount(): void;
  timer: NodeJS.Timeout;
  take(chunk: Buffer): void;
}

/**
 * The players who joined one server while it slept. Each waits until the game is up and is handed over: what it sent is
 * sent to the game, then bytes go both ways. Whoever cannot wait reads when to come again.
 */
export class Joins {
  readonly #held = new Map<Socket, Held>();
  /** Players who play through this process. */
  readonly #handed = new Set<Socket>();
  readonly #hold_ms: number;
  #woken_at: number | null = null;
  #is_up = false;
  /** How long its last start took, in milliseconds. */
  start_ms: number | null = null;

  constructor(hold: number) {
    this.#hold_ms = hold;
  }

  /** Whether nobody waits and nobody plays through this process. */
  get empty(): boolean {
    return this.#held.size === 0 && this.#handed.size === 0;
  }

  /** It sleeps: the next join wakes it. */
  reset(): void {
    this.#woken_at = null;
    this.#is_up = false;
  }

  /** Lets a player wait who sent `bytes`, or answers at once when too many do. */
  add(socket: Socket, bytes: Buffer, uncount: () => void): void {
    this.#woken_at ??= performance.now();
    if (this.#held.size >= max_held) {
      this.#refuse(socket);
      return;
    }
    const held: Held = {
      ...{ bytes, uncount },
      timer: setTimeout(() => this.#refuse(socket), this.#hold_ms),
      take: (chunk) => {
        held.bytes = Buffer.concat([held.bytes, chunk]);
        if (held.bytes.length > max_more_bytes) socket.destroy();
      },
    };
    this.#held.set(socket, held);
    socket.on('data', held.take);
    socket.once('close', () => this.#release(socket));
  }

  /** The game is up: hands everybody over. */
  handOver(game: Game): void {
    this.#is_up = true;
    const [first, ...others] = this.#held.keys();
    if (first) this.#connect(first, game);
    // all that are handed over come from this machine
    for (const socket of others)
      if (serverLoader(game.loader)?.slow_joins) this.#refuse(socket);
      else this.#connect(socket, game);
  }

  /** Ends all connections. */
  close(): void {
    for (const socket of [...this.#held.keys(), ...this.#handed]) socket.destroy();
  }

  #release(socket: Socket): Held | null {
    const held = this.#held.get(socket);
    if (!held) return null;
    clearTimeout(held.timer);
    socket.off('data', held.take);
    this.#held.delete(socket);
    return held;
  }

  #refuse(socket: Socket): void {
    this.#release(socket);
    const begun_ms = performance.now() - (this.#woken_at ?? performance.now());
    socket.end(this.#is_up ? upAnswer() : startingAnswer(this.start_ms, begun_ms));
    // one that does not read it is not waited for
    setTimeout(() => socket.destroy(), 2_000).unref();
  }

  /** Tries until the player has waited for too long. */
  #connect(socket: Socket, game: Game): void {
    if (!this.#held.has(socket)) return;
    const server = connect({ host: game.host, port: game.port, noDelay: true });
    const failed = () => {
      server.destroy();
      setTimeout(() => this.#connect(socket, game), retry_ms).unref();
    };
    server.once('error', failed);
    server.once('connect', () => {
      server.off('error', failed);
      const held = this.#release(socket);
      if (!held || socket.destroyed) return void server.destroy();
      held.uncount();
      this.#join(socket, server);
      server.write(held.bytes);
    });
  }

  #join(socket: Socket, server: Socket): void {
    this.#handed.add(socket);
    const end = () => {
      this.#handed.delete(socket);
      socket.destroy();
      server.destroy();
    };
    for (const one of [socket, server]) one.setKeepAlive(true, 30_000).on('error', end).on('close', end);
    socket.setNoDelay(true);
    // what was sent last arrives before the connection ends
    server.once('end', () => socket.end());
    socket.pipe(server);
    server.pipe(socket, { end: false });
  }
}
