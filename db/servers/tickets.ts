import { assertAllowed, Refused } from '../errors.ts';
import { recordEvent } from '../events/write.ts';
import { randomText } from '../id.ts';
import type { Actor } from '../people/rules.ts';
import { hashToken } from '../secrets/hash.ts';
import type { Db } from '../sql.ts';
import { findAuthorizedServer } from './read.ts';
import { whyNotChange, whyNotDownload } from './rules.ts';

/** Lifetime of an unused ticket. */
const ttl_ms = 10 * 60_000;

/**
 * A ticket to download all files of a server as one archive, valid once and for ten minutes. Refuses as `whyNotChange`
 * and `whyNotDownload` say. Source: decisions §4.1; hosting §1e (rendezvous).
 */
export async function issueTicket(
  db: Db,
  actor: Actor | null,
  server_id: string,
  now: Date,
): Promise<string> {
  const { facts, view, node_id } = await findAuthorizedServer(db, actor, server_id, now, whyNotChange);
  assertAllowed(whyNotDownload({ ...facts, reason: view.lifecycle_data.reason, placed: node_id !== null }));
  const ticket = `sft_${randomText(40)}`;
  const expires = new Date(now.getTime() + ttl_ms);
  await db`delete from server_tickets where expires < ${now}`;
  await db`insert into server_tickets ${db({ hash: hashToken(ticket), server_id, user_id: actor!.user_id, expires })}`;
  await recordEvent(db, { name: 'server.archive_requested', actor_id: actor!.user_id, server_id });
  return ticket;
}

export interface Redeemed {
  server_id: string;
  user_id: string;
  node_id: string;
  name: string;
}

/** Redeems a ticket. Refuses `ticket_invalid` when it is unknown, used or expired, and `server_unreachable`. */
export async function redeemTicket(db: Db, ticket: string, now: Date): Promise<Redeemed> {
  const [row] = await db<{ server_id: string; user_id: string; node_id: string | null; name: string }[]>`
    update server_tickets t set used = ${now} from servers s
    where t.hash = ${hashToken(ticket)} and t.used is null and t.expires > ${now} and s.id = t.server_id
      and s.lifecycle <> 'deprovisioning'
    returning t.server_id, t.user_id, s.node_id, s.name`;
  if (!row) throw new Refused('ticket_invalid');
  if (!row.node_id) throw new Refused('server_unreachable');
  return { ...row, node_id: row.node_id };
}
