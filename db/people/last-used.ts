import type { Db, Pool } from '../sql.ts';

/** Last use of tokens and sessions: buffered in memory, written in batches. Source: api-behaviours §14. */

const every_ms = 60_000;
const max_pending = 20_000;
const pending = { tokens: new Map<string, Date>(), sessions: new Map<string, Date>() };
let timer: NodeJS.Timeout | undefined;

/** Marks the token or session with this stored hash as used; a mark lost in a crash does no harm. */
export function recordUse(db: Db, kind: 'tokens' | 'sessions', hash: string, now: Date): void {
  if (pending[kind].size < max_pending || pending[kind].has(hash)) pending[kind].set(hash, now);
  if (timer || !('end' in db)) return; // inside a transaction: the pool of another caller writes it later
  timer = setTimeout(() => {
    timer = undefined;
    writeLastUsed(db as Pool).catch(() => {}); // the pool is closing or the database is down; losing these is harmless
  }, every_ms).unref();
}

/** Writes the buffer, one statement per table. */
export async function writeLastUsed(db: Db): Promise<void> {
  const [tokens, sessions] = [takePending('tokens'), takePending('sessions')];
  if (tokens.length > 0)
    await db`
      update tokens t set last_used = greatest(t.last_used, u.at::timestamptz)
      from jsonb_to_recordset(${db.json(tokens)}) as u (hash text, at text) where t.token_hash = u.hash`;
  if (sessions.length > 0)
    await db`
      update sessions s set last_used = greatest(s.last_used, u.at::timestamptz)
      from jsonb_to_recordset(${db.json(sessions)}) as u (hash text, at text) where s.id = u.hash`;
}

function takePending(kind: keyof typeof pending): Array<{ hash: string; at: string }> {
  const rows = [...pending[kind]].map(([hash, at]) => ({ hash, at: at.toISOString() }));
  pending[kind].clear();
  return rows;
}
