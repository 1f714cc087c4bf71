import type { Db } from '../postgres/sql.ts';
import { hashToken } from '../secrets/hash.ts';
import type { Sealer } from '../secrets/seal.ts';
import { refreshSession } from './session.ts';

/** How long requests that were under way with the replaced token get the same new one. */
const grace_ms = 60_000;
const purpose = (hash: string): string => `session:${hash}`;

/**
 * Refreshes the session of a browser and gives its new token: of tabs that do so at once, and of requests that are under
 * way for a minute, all get the same one. Null when the session cannot be refreshed. Call it in a transaction. Source:
 * specification §4; api-behaviours §14.
 */
export async function renewBrowserSession(
  tx: Db,
  sealer: Sealer,
  token: string,
  now: Date,
): Promise<string | null> {
  const hash = hashToken(token);
  // simultaneous callers wait here for the first one to commit
  const session = await refreshSession(tx, token, now);
  if (!session) {
    const [row] = await tx<Array<{ successor: string }>>`
      select successor from replaced_sessions where id = ${hash} and expires > ${now}`;
    return row ? sealer.open(row.successor, purpose(hash)) : null;
  }
  await tx`delete from replaced_sessions where expires <= ${now}`;
  const row = {
    id: hash,
    user_id: session.user_id,
    successor: sealer.seal(session.session!, purpose(hash)),
    expires: new Date(now.getTime() + grace_ms),
  };
  await tx`insert into replaced_sessions ${tx(row)}`;
  return session.session;
}
