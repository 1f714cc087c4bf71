import { Refused } from '../../platform/errors.ts';
import { randomText } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { hashToken } from '../../platform/secrets/hash.ts';
import type { ServerRecord } from './read.ts';
import { serverOfTicket } from './tickets.ts';

/** Uploads to game servers: any control plane takes their bytes, the agent has them. Source: hosting §1e. */

/** How long an upload may take. */
const ttl_ms = 24 * 3_600_000;
/** Uploads of a server that are not at their place yet. */
const max_uploads = 5_000;
/** A request that takes bytes renews its hold; without that another one may go on after this time. */
export const upload_hold_ms = 20_000;

interface NewUpload {
  upload_id: string;
  server_id: string;
  user_id: string;
  /** `hashToken` of the session or token of the user: when it ends, so does the address. */
  token_hash: string;
  path: string;
  bytes: number;
}

/**
 * The secret of the address of an upload. The same upload again gets a new one, and the one before ends. Refuses
 * `operation_mismatch` when its id belongs to another upload, and `limit_reached`.
 */
export async function issueUpload(db: Db, upload: NewUpload, now: Date): Promise<string> {
  const { path, bytes, ...ticket } = upload;
  const secret = `sfu_${randomText(40)}`;
  const expires = new Date(now.getTime() + ttl_ms);
  await db`delete from server_tickets where expires < ${now}`;
  const [open] = await db<[{ count: number }]>`
    select count(*)::int as count from server_tickets
    where server_id = ${upload.server_id} and upload_id <> ${upload.upload_id}`;
  if (open.count >= max_uploads) throw new Refused('limit_reached', { limit: max_uploads });
  const row = { hash: hashToken(secret), kind: 'upload', ...ticket, args: db.json({ path, bytes }), expires };
  const { count } = await db`
    insert into server_tickets ${db(row)}
    on conflict (upload_id) do update
      set hash = excluded.hash, token_hash = excluded.token_hash, expires = excluded.expires
      where server_tickets.server_id = excluded.server_id and server_tickets.user_id = excluded.user_id
        and server_tickets.args = excluded.args`;
  if (count === 0) throw new Refused('operation_mismatch');
  return secret;
}

export interface FoundUpload {
  upload_id: string;
  user_id: string;
  token_hash: string;
  server: ServerRecord;
}

/** The upload of an address. Refuses `upload_not_found` when it ended, and `ticket_invalid` without the right any more. */
export async function findUpload(db: Db, secret: string, now: Date): Promise<FoundUpload> {
  const [row] = await db<{ upload_id: string; server_id: string; user_id: string; token_hash: string }[]>`
    select upload_id, server_id, user_id, token_hash from server_tickets
    where hash = ${hashToken(secret)} and kind = 'upload' and expires > ${now}`;
  if (!row) throw new Refused('upload_not_found');
  const { upload_id, user_id, token_hash } = row;
  return {
    upload_id,
    user_id,
    token_hash,
    server: await serverOfTicket(db, { ...row, kind: 'upload' }, now),
  };
}

/**
 * Takes the upload for one request, or renews that it is taken; gives whether `holder` has it. A holder that does not renew
 * it loses it after `upload_hold_ms`.
 */
export async function holdUpload(
  db: Db,
  { upload_id, holder }: { upload_id: string; holder: string },
  now: Date,
): Promise<boolean> {
  const until = new Date(now.getTime() + upload_hold_ms);
  const { count } = await db`
    update server_tickets set holder = ${holder}, held_until = ${until}
    where upload_id = ${upload_id} and (holder is null or holder = ${holder} or held_until <= ${now})`;
  return count === 1;
}

export async function releaseUpload(db: Db, held: { upload_id: string; holder: string }): Promise<void> {
  await db`
    update server_tickets set holder = null, held_until = null
    where upload_id = ${held.upload_id} and holder = ${held.holder}`;
}

/** The upload is at its place or was cancelled: its address ends. */
export async function deleteUpload(db: Db, upload_id: string): Promise<void> {
  await db`delete from server_tickets where upload_id = ${upload_id}`;
}
