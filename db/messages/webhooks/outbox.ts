import { lease_ms } from '../../platform/postgres/claim-due.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { notify } from '../notifications/write.ts';
import { nextPause, type WebhookFormat, webhookGroup, webhookLimits } from './rules.ts';

/** A call that a sender took, with the webhook it goes to. */
export interface OutgoingCall {
  id: string;
  webhook_id: string;
  /** Who made the webhook, or the webhook itself when their account is gone. */
  maker: string;
  type: string;
  body: string;
  attempts: number;
  name: string;
  format: WebhookFormat;
  /** Sealed, like the secrets. */
  address: string;
  secret: string;
  old_secret: string | null;
}

/** What came of an attempt. */
export interface Attempt {
  status: number | null;
  answer: string;
  /** Why there was no answer, or none that counts; null when it arrived. */
  problem: string | null;
  took_ms: number;
  /** Whether the receiver wants no more calls. */
  gone: boolean;
  /** Milliseconds that the receiver asks to wait. */
  wait_ms: number;
}

/** Calls of one person that are sent at the same time. */
const calls_at_once = 4;
/** The oldest that are due, among which people take turns. */
const max_looked_at = 2_000;

/**
 * Takes up to `limit` calls that are due; a sender that ends leaves them due again after five minutes. People take turns, and
 * have at most `calls_at_once` on their way, those whose `makers` are given among them: receivers that never answer hold up
 * nobody else.
 */
export const takeCalls = (
  db: Db,
  now: Date,
  { limit, makers }: { limit: number; makers: readonly string[] },
): Promise<OutgoingCall[]> =>
  db<OutgoingCall[]>`
    update webhook_deliveries d set attempts = attempts + 1, due = ${new Date(now.getTime() + lease_ms)}
    from webhooks w
    where w.id = d.webhook_id and d.id = any(array(
      select id from webhook_deliveries
      where state = 'waiting' and due <= ${now} and id = any(array(
        select id from (
          select o.id, o.due, row_number() over (partition by coalesce(v.created_by, v.id) order by o.due, o.id)
            + (select count(*) from unnest(${makers}::text[]) m where m = coalesce(v.created_by, v.id)) as place
          from (
            select id, due, webhook_id from webhook_deliveries
            where state = 'waiting' and due <= ${now} order by due limit ${max_looked_at}
          ) o join webhooks v on v.id = o.webhook_id
        ) placed
        where place <= ${calls_at_once} order by place, due limit ${limit}))
      for update skip locked))
    returning d.id, d.webhook_id, coalesce(w.created_by, w.id) as maker, d.type, d.body, d.attempts, w.name, w.format, w.address, w.secret,
      case when w.old_secret_until > ${now} then w.old_secret end as old_secret`;

/**
 * Stores what came of a call: it arrived, is tried again later, or is given up, which turns the webhook off and notifies
 * whoever made it. A test is tried once.
 */
export async function storeAttempt(
  tx: Db,
  { id, webhook_id, type, attempts }: OutgoingCall,
  { gone, wait_ms, ...attempt }: Attempt,
  now: Date,
): Promise<void> {
  const arrived = attempt.problem === null;
  const pause = arrived || gone || type === 'test' ? null : nextPause(attempts);
  const state = arrived ? 'sent' : pause === null ? 'failed' : 'waiting';
  const due = new Date(now.getTime() + Math.max(pause ?? 0, wait_ms));
  await tx`update webhook_deliveries set ${tx({ ...attempt, tried: now, state, due })} where id = ${id}`;
  if (state === 'waiting') return;
  await trimLog(tx, webhook_id, now);
  if (arrived || type === 'test') return;
  const { count } = await tx`
    update webhooks set enabled = false, gave_up = true where id = ${webhook_id} and enabled`;
  await tx`update webhook_deliveries set state = 'failed' where webhook_id = ${webhook_id} and state = 'waiting'`;
  if (count > 0) await notifyMaker(tx, webhook_id);
}

/** Notifies whoever made a webhook that it was turned off; nobody when their account is gone. */
async function notifyMaker(tx: Db, webhook_id: string): Promise<void> {
  const [webhook] = await tx<
    Array<{
      name: string;
      project_id: string | null;
      organization_id: string | null;
      server_id: string | null;
      server_name: string | null;
      created_by: string | null;
    }>
  >`
    select w.name, w.project_id, w.organization_id, w.server_id, s.name as server_name, w.created_by
    from webhooks w left join servers s on s.id = w.server_id where w.id = ${webhook_id}`;
  if (!webhook?.created_by) return;
  const { created_by, server_id, server_name, ...about } = webhook;
  const body = { webhook_id, ...about, ...(server_id && { server_id, server_name: server_name ?? '' }) };
  await notify(tx, [created_by], { type: 'webhook_off', body }, webhookGroup(webhook_id));
}

async function trimLog(tx: Db, webhook_id: string, now: Date): Promise<void> {
  const { log, log_days } = webhookLimits;
  await tx`
    delete from webhook_deliveries
    where webhook_id = ${webhook_id} and state <> 'waiting' and (
      created < ${new Date(now.getTime() - log_days * 86_400_000)} or id not in (
        select id from webhook_deliveries where webhook_id = ${webhook_id} order by created desc, id limit ${log}))`;
}
