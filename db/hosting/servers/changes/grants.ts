import { randomText } from '../../../platform/id.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { hashToken } from '../../../platform/secrets/hash.ts';

/** What an agent may fetch for a change. Only the hash of the secret is stored. */

interface NewGrant {
  server_id: string;
  change_id: string;
  /** sha512 -> key of the storage. */
  files: Record<string, string>;
  expires: Date;
}

/** Stores a grant and gives its address: `GET <address>&file=<sha512>` gives one file. */
export async function createGrant(db: Db, { files, ...grant }: NewGrant): Promise<string> {
  const secret = randomText(40);
  const row = { ...grant, hash: hashToken(secret), files: db.json(files) };
  await db`insert into server_content_grants ${db(row)}`;
  return `/transfers?content=${secret}`;
}

/** The key of the storage of a file that the bearer of this secret may fetch; null when there is none. */
export async function grantedFile(
  db: Db,
  { secret, sha512 }: { secret: string; sha512: string },
  now: Date,
): Promise<string | null> {
  const [row] = await db<{ key: string | null }[]>`
    select files->>${sha512} as key from server_content_grants
    where hash = ${hashToken(secret)} and expires > ${now}`;
  return row?.key ?? null;
}

/** Ends what may be fetched for a change. Its operation forgets the secret. */
export async function endGrants(db: Db, change_id: string): Promise<void> {
  await db`delete from server_content_grants where change_id = ${change_id}`;
  await db`update server_operations set args = args - 'get' where id = ${change_id} and args ? 'get'`;
}
