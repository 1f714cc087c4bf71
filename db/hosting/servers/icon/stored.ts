import { createHash } from 'node:crypto';
import { Refused } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { findAuthorizedServer } from '../read.ts';

/** What its hash says of a picture: enough that two of one server never have the same. */
const hash_length = 16;

/** Keeps the picture of a server as it was read on its node or written there; null: there is none. */
export async function keepIcon(db: Db, server_id: string, png: Buffer | null): Promise<void> {
  if (png === null) {
    await db`delete from server_icons where server_id = ${server_id}`;
    return;
  }
  const hash = createHash('sha256').update(png).digest('hex').slice(0, hash_length);
  await db`
    insert into server_icons as i (server_id, png, hash) values (${server_id}, ${png}, ${hash})
    on conflict (server_id) do update set png = excluded.png, hash = excluded.hash where i.hash <> excluded.hash`;
}

/**
 * The picture of a server that the user may see, a PNG. Refuses as `whyNotSee`, and `not_found` where none is known.
 */
export async function iconOf(db: Db, actor: Actor | null, server_id: string, now: Date): Promise<Buffer> {
  await findAuthorizedServer(db, actor, server_id, now);
  const [found] = await db<{ png: Buffer }[]>`select png from server_icons where server_id = ${server_id}`;
  if (!found) throw new Refused('not_found');
  return found.png;
}
