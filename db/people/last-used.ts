import type { Db, Pool } from '../sql.ts';

/** When tokens and sessions were last used: gathered in memory, written in batches. Source: api-behaviours §14. */

const every_ms = 60_000;
const max_pending = 20_000;
const pending = { tokens: new Map<string, Date>(), sessions: new Map<string, Date>() };
let timer: NodeJS.Timeout | undefined;

/** Notes that the token or session with this stored hash was used; losing the note in a crash harms nobody. */
export function recordUse(db: Db, kind: 'tokens' | 'sessions', hash: string, now: Date): void {
  if (pending[kind].size < max_pending || pending[kind].has(hash)) pending[kind].set(hash, now);
  if (timer || !('end' in db)) return; // inside a transaction somebody else's pool writes it later
  timer = setTimeout(() => {
    timer = undefined;
    writeLastUsed(db as Pool).catch(() => {}); // the pool is closing or the database away: notes only
  }, every_ms).unref();
}

/** Writes what was gathered, one statement a table. */
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
