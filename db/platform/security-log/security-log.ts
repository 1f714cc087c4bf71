import type { Pool } from '../postgres/sql.ts';
import { hashToken } from '../secrets/hash.ts';
import type { SecurityKind } from './rules.ts';

const every_ms = 1_000;
/** What waits to be written: the rest of a flood is lost, and would say nothing new. */
const max_pending = 10_000;
/** Networks of credentials that are known here already, so that each is looked up once. */
const max_known = 50_000;

/** Something that happened. The rest is known of whoever the work is done for. */
export interface SecurityEvent {
  kind: SecurityKind;
  user_id: string | null;
  /** Values in words of this product, such as `{ how: 'passkey' }`; never a secret. */
  detail?: Record<string, string>;
  now: Date;
}

/** From where it happened, and by what. */
export interface SecurityOrigin {
  address: string | null;
  credential: string | null;
}

interface Pending extends SecurityOrigin {
  kind: SecurityKind;
  user_id: string | null;
  detail: Record<string, string>;
  first: Date;
  last: Date;
  times: number;
  hour: string | null;
}

/** Failures come by the thousand: they are counted by the hour. */
const counted: ReadonlySet<SecurityKind> = new Set(['sign_in_failed', 'proof_failed']);

/**
 * The log of security of one process: buffered in memory and written every second, so that a sign-in waits for nothing. What a
 * crash loses is a second. Changes of rights are written with the change itself (`rights.ts`).
 */
export class SecurityLog {
  readonly #sql: Pool;
  #pending = new Map<string, Pending>();
  #networks = new Map<string, { user_id: string; origin: SecurityOrigin; network_hash: string; now: Date }>();
  readonly #known = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(sql: Pool) {
    this.#sql = sql;
  }

  record({ kind, user_id, detail = {}, now }: SecurityEvent, origin: SecurityOrigin): void {
    const hour = counted.has(kind) ? `${now.toISOString().slice(0, 13)}:00:00Z` : null;
    const key = JSON.stringify([kind, user_id, origin, detail, hour]);
    const before = hour === null ? undefined : this.#pending.get(key);
    if (before) {
      before.times += 1;
      before.last = now;
    } else if (this.#pending.size < max_pending) {
      const at = { first: now, last: now, times: 1, hour };
      this.#pending.set(hour === null ? `${key} ${this.#pending.size}` : key, {
        kind,
        user_id,
        detail,
        ...at,
        ...origin,
      });
    }
    this.#writeSoon();
  }

  /** A token or an app is used from `network`: is told when it was not used from there before. */
  used(
    credential: string,
    who: { user_id: string; network: string; address: string | null; now: Date },
  ): void {
    const network_hash = hashToken(`${credential} ${who.network}`);
    if (this.#known.has(network_hash) || this.#networks.size >= max_pending) return;
    if (this.#known.size >= max_known) this.#known.clear();
    this.#known.add(network_hash);
    const { user_id, address, now } = who;
    this.#networks.set(network_hash, { user_id, origin: { address, credential }, network_hash, now });
    this.#writeSoon();
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.write().catch(() => {}); // the pool is closing or the database is down
    }, every_ms).unref();
  }

  /** Writes what waits. */
  async write(): Promise<void> {
    const networks = [...this.#networks.values()];
    this.#networks = new Map();
    await this.#writeNetworks(networks);
    const rows = [...this.#pending.values()];
    this.#pending = new Map();
    if (rows.length === 0) return;
    const sql = this.#sql;
    await sql`
      insert into security_events as e (kind, user_id, address, credential, detail, first, last, times, hour)
      select r.kind, u.id, r.address, r.credential, r.detail, r.first, r.last, r.times, r.hour
      from jsonb_to_recordset(${sql.json(rows as never)}) as r (kind text, user_id text, address text, credential text,
          detail jsonb, first timestamptz, last timestamptz, times int, hour timestamptz)
        left join users u on u.id = r.user_id
      on conflict (kind, user_id, address, credential, hour) where hour is not null
        do update set times = e.times + excluded.times, last = greatest(e.last, excluded.last)`;
  }

  async #writeNetworks(
    networks: ReadonlyArray<{ user_id: string; origin: SecurityOrigin; network_hash: string; now: Date }>,
  ): Promise<void> {
    if (networks.length === 0) return;
    const sql = this.#sql;
    const rows = networks.map(({ origin, network_hash, now }) => ({ ...origin, network_hash, last: now }));
    const added = await sql<Array<{ network_hash: string; is_new: boolean }>>`
      insert into credential_networks as c (credential, network_hash, last)
      select r.credential, r.network_hash, r.last
      from jsonb_to_recordset(${sql.json(rows as never)}) as r (credential text, network_hash text, last timestamptz)
      on conflict (credential, network_hash) do update set last = excluded.last
      returning network_hash, xmax = 0 as is_new`;
    const fresh = new Set(added.filter(({ is_new }) => is_new).map(({ network_hash }) => network_hash));
    for (const { user_id, origin, network_hash, now } of networks)
      if (fresh.has(network_hash)) this.record({ kind: 'new_network', user_id, now }, origin);
  }
}
