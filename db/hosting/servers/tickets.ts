import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { randomText } from '../../platform/id.ts';
import { actorOfUser, actorsOfHashes } from '../../platform/people/read.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { hashToken } from '../../platform/secrets/hash.ts';
import { findAuthorizedServer, type ServerRecord, serversById } from './read.ts';
import { whyNotDownload, whyNotHave, whyNotReadFiles } from './rules.ts';

/** Lifetime of an unused ticket. */
const ttl_ms = 10 * 60_000;

/**
 * What a ticket gives: everything as one archive, one file as it is, an archive of some paths, a backup, or an export, whose
 * ticket is good for every part of it.
 */
type TicketKind = 'archive' | 'file' | 'paths' | 'backup' | 'export';
const ofBackup = (kind: string): boolean => kind === 'backup' || kind === 'export';

export interface NewTicket {
  kind: TicketKind;
  server_id: string;
  user_id: string;
  /** `hashToken` of the session or token of the user: when it ends, so does the ticket. Null: only the user counts. */
  token_hash: string | null;
  /** What the agent is asked for; stored as it is. */
  args: object;
  /** Until when it is valid: for ten minutes when left out. */
  expires?: Date;
}

/** Stores a ticket, valid once unless it is of an export, and gives its secret. The caller has asked the rules. */
export async function createTicket(
  db: Db,
  { args, expires: given, ...ticket }: NewTicket,
  now: Date,
): Promise<string> {
  const secret = `sft_${randomText(40)}`;
  const expires = given ?? new Date(now.getTime() + ttl_ms);
  await db`delete from server_tickets where expires < ${now}`;
  const row = { hash: hashToken(secret), ...ticket, args: db.json(args as never), expires };
  await db`insert into server_tickets ${db(row)}`;
  return secret;
}

/**
 * A ticket to download all files of a server as one archive. Refuses as `whyNotHave.files` and `whyNotDownload` say. Source:
 * decisions §4.1; hosting §1e (rendezvous).
 */
export async function issueArchiveTicket(
  db: Db,
  actor: Actor | null,
  server_id: string,
  now: Date,
): Promise<string> {
  const { facts, view, node_id } = await findAuthorizedServer(db, actor, server_id, now, whyNotHave.files);
  assertAllowed(whyNotDownload({ ...facts, reason: view.lifecycle_data.reason, placed: node_id !== null }));
  const { user_id } = actor!;
  await recordEvent(db, { name: 'server.archive_requested', actor_id: user_id, server_id });
  return await createTicket(db, { kind: 'archive', server_id, user_id, token_hash: null, args: {} }, now);
}

export interface Redeemed {
  kind: TicketKind;
  server_id: string;
  user_id: string;
  token_hash: string | null;
  /** Null only for what is at the platform. */
  node_id: string | null;
  /** Name of the server. */
  name: string;
  args: Record<string, unknown>;
}

/**
 * Redeems a ticket, in the caller's transaction: of two callers at once, on whatever planes, one gets it; that of an export
 * is for all of them. With `node_id` only one of
 * a server on this node. Refuses `ticket_invalid` when it is unknown, used or expired, or when the user or token has no right any
 * more, `server_unreachable`, and for files as `whyNotReadFiles` says.
 */
export async function redeemTicket(
  db: Db,
  ticket: string,
  now: Date,
  node_id: string | null = null,
): Promise<Redeemed> {
  const [row] = await db<Redeemed[]>`
    update server_tickets t set used = case when t.kind <> 'export' then ${now}::timestamptz end from servers s, users u
    where t.hash = ${hashToken(ticket)} and t.used is null and t.expires > ${now} and t.kind <> 'upload'
      and s.id = t.server_id and s.lifecycle <> 'deprovisioning'
      and (${node_id}::text is null or s.node_id = ${node_id})
      and u.id = t.user_id
      and (u.suspended_until is null or u.suspended_until <= ${now})
    returning t.kind, t.server_id, t.user_id, t.args, t.token_hash, s.node_id, s.name`;
  if (!row) throw new Refused('ticket_invalid');
  const { facts } = await serverOfTicket(db, row, now);
  if (ofBackup(row.kind)) return row;
  if (row.token_hash !== null) assertAllowed(whyNotReadFiles(facts));
  if (!row.node_id) throw new Refused('server_unreachable');
  return row;
}

/** The server of a ticket, for whoever requested it. Refuses `ticket_invalid` without the right to what it gives. */
export async function serverOfTicket(
  db: Db,
  {
    kind,
    token_hash,
    user_id,
    server_id,
  }: Pick<Redeemed, 'token_hash' | 'user_id' | 'server_id'> & { kind: TicketKind | 'upload' },
  now: Date,
): Promise<ServerRecord> {
  const actor =
    token_hash === null
      ? await actorOfUser(db, user_id, now)
      : (await actorsOfHashes(db, [token_hash], now)).get(token_hash);
  const [server] = await serversById(db, [server_id], now);
  const rule = ofBackup(kind) ? whyNotHave.backups : whyNotHave.files;
  if (!server || !actor || rule(actor, server.facts)) throw new Refused('ticket_invalid');
  return server;
}
