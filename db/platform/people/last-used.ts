import type { Pool } from '../postgres/sql.ts';

const every_ms = 60_000;
const max_pending = 20_000;

type Kind = 'tokens' | 'sessions' | 'oauth_tokens';

/**
 * Last use of the tokens and sessions of one process: buffered in memory, written in batches. What a crash loses does
 * no harm. Source: api-behaviours §14.
 */
export class LastUsed {
  readonly #sql: Pool;
  readonly #pending = {
    tokens: new Map<string, Date>(),
    sessions: new Map<string, Date>(),
    oauth_tokens: new Map<string, Date>(),
  };
  #timer: NodeJS.Timeout | undefined;

  constructor(sql: Pool) {
    this.#sql = sql;
  }

  /** Marks the token or session with this stored hash as used. */
  record(kind: Kind, hash: string, now: Date): void {
    const pending = this.#pending[kind];
    if (pending.size < max_pending || pending.has(hash)) pending.set(hash, now);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.write().catch(() => {}); // the pool is closing or the database is down
    }, every_ms).unref();
  }

  /** Writes the buffer, one statement per table. */
  async write(): Promise<void> {
    const sessions = this.#takePending('sessions');
    const sql = this.#sql;
    for (const table of ['tokens', 'oauth_tokens'] as const) {
      const used = this.#takePending(table);
      if (used.length > 0)
        await sql`
          update ${sql(table)} t set last_used = greatest(t.last_used, u.at::timestamptz)
          from jsonb_to_recordset(${sql.json(used)}) as u (hash text, at text) where t.token_hash = u.hash`;
    }
    if (sessions.length > 0)
      await sql`
        update sessions s set last_used = greatest(s.last_used, u.at::timestamptz)
        from jsonb_to_recordset(${sql.json(sessions)}) as u (hash text, at text) where s.id = u.hash`;
  }

  #takePending(kind: Kind): Array<{ hash: string; at: string }> {
    const rows = [...this.#pending[kind]].map(([hash, at]) => ({ hash, at: at.toISOString() }));
    this.#pending[kind].clear();
    return rows;
  }
}
