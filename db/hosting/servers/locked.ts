import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { findAuthorizedServer, type ServerRecord } from './read.ts';
import { whyNotChange } from './rules.ts';

/** Locks the server and loads it for an actor who may do this to it. Refuses as `rule` says. */
export async function lockChangeableServer(
  db: Db,
  actor: Actor,
  id: string,
  now: Date,
  rule: typeof whyNotChange = whyNotChange,
): Promise<ServerRecord> {
  await db`select 1 from servers where id = ${id} for update`;
  return await findAuthorizedServer(db, actor, id, now, rule);
}
