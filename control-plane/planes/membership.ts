import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { knownPlanes, livePlanes, type PlanePlace } from '#db/hosting/planes/read.ts';
import { plane_dead_after_ms, plane_heartbeat_ms, type Versions } from '#db/hosting/planes/rules.ts';
import { recordPlane, removeDeadPlanes, removePlane } from '#db/hosting/planes/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { type Pool, privateConnection } from '#db/platform/postgres/sql.ts';

/** A heartbeat that is not stored by then failed. */
const timeout_ms = 1_800;

/** So long a plane that did not respond is told again with each heartbeat: it may be busy, or it is dead. */
const tell_again_ms = 300_000;

/** What the rest of the plane does when its membership changes. */
export interface MembershipEffects {
  /**
   * This plane is new to these: they have to know it before it counts, also those that miss their heartbeats. Gives those
   * that did not respond.
   */
  announce(planes: readonly PlanePlace[], address: string): Promise<readonly PlanePlace[]>;
  /** A heartbeat was stored: these planes are alive. */
  onPlanes(planes: readonly PlanePlace[]): void;
  /** The others take this plane for dead, or soon will: whatever is connected here has to connect elsewhere. */
  onLost(): void;
  /** It counts again, after others may have taken its leases: what is not its own any more ends before anything else. */
  onReturned(): Promise<void>;
  /** Whether another plane still renews its membership, as far as they answer: only then can it take over. */
  isAnotherRenewing(): Promise<boolean>;
}

interface Options {
  sql: Pool;
  log: Logger;
  id: string;
  release: string;
  protocol: Versions;
  /** What it serves now. */
  load(): { agents: number; viewers: number };
  effects: MembershipEffects;
}

/**
 * That this plane is one of the installation: its heartbeats in Postgres, on a connection of their own, and the other
 * planes. What it holds counts only while the others do not take it for dead (`isHeld`), measured by a clock that goes on
 * while the process is stopped. Without Postgres it gives up, unless nobody could take over: while Postgres is away for
 * all, everything stays connected. Source: hosting §5.2, §6.
 */
export class Membership {
  readonly id: string;
  readonly #options: Options;
  #address = '';
  #connection: Pool | null = null;
  /** By `performance.now`, as all times here. */
  #held_until = Number.NEGATIVE_INFINITY;
  /** Since when every heartbeat was stored; null while they fail. */
  #renewing_since: number | null = null;
  #lost = false;
  #planes: PlanePlace[] = [];
  /** Planes that said they joined since the last heartbeat: it may have been read before they were stored. */
  #joined: PlanePlace[] = [];
  /** Planes that do not know of this one, and until when they are told. */
  #unaware: Array<{ plane: PlanePlace; until: number }> = [];
  #timer: NodeJS.Timeout | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #is_beating = false;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
    this.id = options.id;
  }

  /**
   * Becomes a member, reached at `address`. Resolves when its first heartbeat is stored and the other planes know it; throws
   * when that heartbeat failed.
   */
  async join(address: string): Promise<void> {
    this.#address = address;
    await this.#beat();
    this.#schedule(plane_heartbeat_ms);
  }

  /** Whether the others know that it lives: what it holds, it still has. */
  isHeld(): boolean {
    return performance.now() < this.#held_until;
  }

  /** Refuses `database_away` while it does not. */
  assertHeld(): void {
    if (!this.isHeld()) throw new Refused('database_away', { retry_after_ms: 1_000 });
  }

  /** Whether its last heartbeat was stored. */
  isRenewing(): boolean {
    return this.#renewing_since !== null;
  }

  /** The other planes, as of the last heartbeat, and those that joined since. */
  get others(): readonly PlanePlace[] {
    return this.#planes.filter(({ id }) => id !== this.id);
  }

  /** Another plane says that it joined. From now on it may take over from this one. */
  add(plane: PlanePlace): void {
    const withPlane = (planes: PlanePlace[]) => [...planes.filter(({ id }) => id !== plane.id), plane];
    this.#planes = withPlane(this.#planes);
    this.#joined = withPlane(this.#joined);
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
      this.#is_beating = true;
      this.#beating = this.#beat()
        .catch((err) => this.#failed(err))
        .finally(() => {
          this.#is_beating = false;
          this.#schedule(Math.max(0, plane_heartbeat_ms - (performance.now() - began)));
        });
    }, pause_ms);
  }

  async #beat(): Promise<void> {
    const sent = performance.now();
    const is_first = this.#held_until === Number.NEGATIVE_INFINITY;
    const has_lapsed = !this.isHeld();
    const { effects, log } = this.#options;
    const before = this.#joined;
    const { was_known, dead, unaware, planes: stored } = await this.#store();
    // what joined meanwhile may have been stored after this was read
    this.#joined = this.#joined.filter((plane) => !before.includes(plane));
    const planes = [...stored, ...this.#joined.filter(({ id }) => stored.every((one) => one.id !== id))];
    this.#planes = planes;
    if (!is_first && (has_lapsed || !was_known)) await effects.onReturned();
    const until = performance.now() + tell_again_ms;
    this.#unaware.push(...unaware.map((plane) => ({ plane, until })));
    await this.#tell();
    if (this.#lost || (!is_first && !this.isRenewing()))
      log.info('This control plane has its database again');
    this.#lost = false;
    this.#renewing_since ??= sent;
    // from before it was sent: the others count from when it arrived
    this.#hold(sent + plane_dead_after_ms);
    if (dead.length > 0) log.warn({ planes: dead }, 'Control planes are dead: their leases end');
    effects.onPlanes(planes);
  }

  /** Tells those that do not know of this plane yet; those that do not respond are told again with the next heartbeat. */
  async #tell(): Promise<void> {
    if (this.#unaware.length === 0) return;
    const planes = this.#unaware.map(({ plane }) => plane);
    const missing = await this.#options.effects.announce(planes, this.#address);
    const now = performance.now();
    this.#unaware = this.#unaware.filter(({ plane, until }) => missing.includes(plane) && until > now);
  }

  /** Stores a heartbeat and looks at the others. Throws when Postgres does not answer in time. */
  async #store() {
    this.#connection ??= privateConnection(this.#options.sql, () => {}, {
      // what this process no longer waits for must not lock anything
      statement_timeout: timeout_ms,
      idle_in_transaction_session_timeout: timeout_ms,
    });
    const connection = this.#connection;
    const { id, release, protocol, load } = this.#options;
    const report = {
      ...{ id, address: this.#address, host: hostname(), release, ...load() },
      ...{ protocol_min: protocol.min, protocol_max: protocol.max },
    };
    // after an outage of Postgres all are silent for long: each gets the time to come back
    const since = this.#renewing_since;
    const judges = since !== null && performance.now() - since > plane_dead_after_ms;
    const store = async () => {
      const { was_known } = await recordPlane(connection, report);
      return {
        was_known,
        dead: judges ? await connection.begin((tx) => removeDeadPlanes(tx)) : [],
        planes: await livePlanes(connection),
        unaware: was_known ? [] : (await knownPlanes(connection)).filter((one) => one.id !== id),
      };
    };
    const stored = store();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, fail) => {
      timer = setTimeout(() => fail(new Error('Postgres did not answer in time')), timeout_ms);
    });
    try {
      return await Promise.race([stored, late]);
    } catch (error) {
      stored.catch(() => {});
      this.#disconnect();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #hold(until: number): void {
    this.#held_until = until;
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => void this.#expire(false), until - performance.now()).unref();
  }

  async #failed(err: unknown): Promise<void> {
    if (this.#renewing_since !== null)
      this.#options.log.warn({ err }, 'Heartbeat of this control plane could not be stored, will retry');
    this.#renewing_since = null;
    // a process that was stopped has not tried yet whether Postgres answers
    if (!this.isHeld()) await this.#expire(true);
    else if (this.others.length === 0) this.#hold(performance.now() + plane_dead_after_ms);
  }

  /** The others take this plane for dead now, if there are any that can; `has_tried`: a heartbeat failed just now. */
  async #expire(has_tried: boolean): Promise<void> {
    if (this.isHeld() || this.#lost || this.#closed || this.isRenewing()) return;
    const { effects, log } = this.#options;
    const hasHeir = this.others.length > 0 && (await effects.isAnotherRenewing().catch(() => true));
    if (this.isHeld() || this.#lost || this.isRenewing()) return;
    if (!hasHeir) return this.#hold(performance.now() + plane_dead_after_ms);
    // after a restart of Postgres the other one may only have noticed first: a heartbeat that fails now ends it
    if (!has_tried) return this.#beatAtOnce();
    this.#lost = true;
    log.error('This control plane is cut off from its database and gives up its leases: others take over');
    effects.onLost();
  }

  #beatAtOnce(): void {
    if (this.#is_beating) return;
    clearTimeout(this.#timer);
    this.#schedule(0);
  }

  #disconnect(): void {
    void this.#connection?.end({ timeout: 0 }).catch(() => {});
    this.#connection = null;
  }

  /** Ends the membership: the others know at once. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#deadline);
    await this.#beating;
    clearTimeout(this.#deadline);
    this.#held_until = Number.NEGATIVE_INFINITY;
    if (this.#address)
      await removePlane(this.#options.sql, this.id).catch((err) =>
        this.#options.log.warn({ err }, 'This control plane could not be removed from the list'),
      );
    this.#disconnect();
  }
}
