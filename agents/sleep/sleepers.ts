import type { Server } from 'node:net';
import type { Shown } from './answers.ts';
import { type Game, hold_ms, Joins } from './joins.ts';
import { ConnectionCounts } from './limits.ts';
import { listen } from './listener.ts';

/** What is listened for in the place of a server. */
export interface Place {
  host: string;
  port: number;
  shown: Omit<Shown, 'most'>;
}
interface Sleeper {
  joins: Joins;
  listening: { place: string; port: number; server: Server } | null;
}

const same = ({ host, port, shown }: Place): string => JSON.stringify([host, port, shown]);

/** The listeners of all sleeping servers of this node, and the players who wait for them or came through them. */
export class Sleepers {
  readonly #sleepers = new Map<string, Sleeper>();
  readonly #counts = new ConnectionCounts();
  readonly #hold_ms: number;
  #closed = false;

  constructor(hold = hold_ms) {
    this.#hold_ms = hold;
  }

  /** Ports that this process listens on: for everybody else they are free. */
  ports(): Set<number> {
    return new Set([...this.#sleepers.values()].flatMap(({ listening }) => listening?.port ?? []));
  }

  /** Whether `id` is listened for in this very place. */
  isListening(id: string, place: Place | null): boolean {
    const listening = this.#sleepers.get(id)?.listening;
    return listening ? place === null || listening.place === same(place) : false;
  }

  /**
   * Listens in the place of a server; `wake` is called at each join. `most`: players it takes; `start_ms`: how long its last
   * start took. Throws what the system says when the port is not free.
   */
  async listen(
    id: string,
    place: Place,
    { most, start_ms, wake }: { most: number; start_ms: number | null; wake(): void },
  ): Promise<void> {
    this.endListening(id);
    const sleeper = this.#sleeper(id);
    const { joins } = sleeper;
    joins.reset();
    joins.start_ms = start_ms;
    const server = await listen(place, {
      shown: { ...place.shown, most },
      counts: this.#counts,
      onJoin(socket, bytes, uncount) {
        joins.add(socket, bytes, uncount);
        wake();
      },
    });
    if (this.#closed) return void server.close();
    sleeper.listening = { place: same(place), port: place.port, server };
  }

  /** Frees the port of a server at once. Players who wait go on waiting. */
  endListening(id: string): void {
    const sleeper = this.#sleepers.get(id);
    // a listening socket is closed before this returns, those that were accepted stay open
    sleeper?.listening?.server.close();
    if (sleeper) sleeper.listening = null;
    if (sleeper?.joins.empty) this.#sleepers.delete(id);
  }

  /** A server is up: those who wait for it are handed over. */
  handOver(id: string, game: Game): void {
    this.#sleepers.get(id)?.joins.handOver(game);
  }

  /** A server is gone for good: ends everything of it. */
  forget(id: string): void {
    this.#sleepers.get(id)?.joins.close();
    this.endListening(id);
    this.#sleepers.delete(id);
  }

  close(): void {
    this.#closed = true;
    for (const id of [...this.#sleepers.keys()]) this.forget(id);
  }

  #sleeper(id: string): Sleeper {
    let sleeper = this.#sleepers.get(id);
    if (!sleeper) {
      sleeper = { joins: new Joins(this.#hold_ms), listening: null };
      this.#sleepers.set(id, sleeper);
    }
    return sleeper;
  }
}
