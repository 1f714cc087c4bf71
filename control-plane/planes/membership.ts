import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { livePlanes, type PlaneRow } from '#db/planes/read.ts';
import { plane_dead_after_ms, plane_heartbeat_ms, type Versions } from '#db/planes/rules.ts';
import { recordPlane, removeDeadPlanes, removePlane } from '#db/planes/write.ts';
import { type Pool, privateConnection } from '#db/sql.ts';

/** A heartbeat that is not stored by then failed. */
const timeout_ms = 1_800;

interface Options {
  sql: Pool;
  log: Logger;
  id: string;
  release: string;
  protocol: Versions;
  /** What it serves now. */
  load(): { agents: number; viewers: number };
}

/**
 * That this plane is one of the installation: its heartbeats in Postgres, on a connection of their own, and the other
 * planes. It counts only as long as the others do not take it for dead: `isHeld`. Source: hosting §5.2.
 */
export class Membership {
  readonly id: string;
  readonly #options: Options;
  #address = '';
  #connection: Pool | null = null;
  /** By `performance.now`, which goes on while the process is stopped. */
  #held_until = Number.NEGATIVE_INFINITY;
  #planes: PlaneRow[] = [];
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
    this.id = options.id;
  }

  /** Becomes a member, reached at `address`. Resolves after the first heartbeat; throws when that failed. */
  async join(address: string): Promise<void> {
    this.#address = address;
    await this.#beat();
    this.#schedule(plane_heartbeat_ms);
  }

  /** Whether the others know that it lives: what it holds, it still has. */
  isHeld(): boolean {
    return performance.now() < this.#held_until;
  }

  /** The other planes, as of the last heartbeat. */
  get others(): readonly PlaneRow[] {
    return this.#planes.filter(({ id }) => id !== this.id);
  }

  /** Address of a live plane, null when there is none of this id. */
  async addressOf(plane_id: string): Promise<string | null> {
    const known = this.#planes.find(({ id }) => id === plane_id);
    if (known) return known.address;
    const [found] = await livePlanes(this.#options.sql, plane_id);
    return found?.address ?? null;
  }

  #schedule(pause_ms: number): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      const began = performance.now();
      this.#beating = this.#beat()
        .catch((err) => {
          this.#options.log.warn({ err }, 'Heartbeat of this control plane failed');
        })
        .finally(() => this.#schedule(Math.max(0, plane_heartbeat_ms - (performance.now() - began))));
    }, pause_ms);
  }

  async #beat(): Promise<void> {
    const sent = performance.now();
    const connection = this.#connect();
    const { id, release, protocol, load } = this.#options;
    const report = {
      ...{ id, address: this.#address, host: hostname(), release, ...load() },
      ...{ protocol_min: protocol.min, protocol_max: protocol.max },
    };
    const beat = connection.begin(async (tx) => {
      await recordPlane(tx, report);
      const dead = await removeDeadPlanes(tx);
      return { dead, planes: await livePlanes(tx) };
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, fail) => {
      timer = setTimeout(() => fail(new Error('Postgres did not answer in time')), timeout_ms);
    });
    try {
      const { dead, planes } = await Promise.race([beat, late]);
      this.#planes = planes;
      // from before it was sent: the others count from when it arrived
      this.#held_until = sent + plane_dead_after_ms;
      if (dead.length > 0)
        this.#options.log.warn({ planes: dead }, 'Control planes are dead: their leases end');
    } catch (error) {
      beat.catch(() => {});
      this.#disconnect();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #connect(): Pool {
    this.#connection ??= privateConnection(this.#options.sql, () => {});
    return this.#connection;
  }

  #disconnect(): void {
    void this.#connection?.end({ timeout: 0 }).catch(() => {});
    this.#connection = null;
  }

  /** Ends the membership: the others know at once. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#beating;
    this.#held_until = Number.NEGATIVE_INFINITY;
    if (this.#address)
      await removePlane(this.#options.sql, this.id).catch((err) =>
        this.#options.log.warn({ err }, 'This control plane could not be removed from the list'),
      );
    this.#disconnect();
  }
}
