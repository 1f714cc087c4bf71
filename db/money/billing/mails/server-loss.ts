import type { Loss } from '../../../hosting/server-alerts/consumer.ts';
import { recipientsOf } from '../../../hosting/server-alerts/tell.ts';
import { serversById } from '../../../hosting/servers/read.ts';
import { type Mailing, queueMail } from '../../../messages/mail/queue.ts';
import { notify } from '../../../messages/notifications/write.ts';
import { queueServerCalls } from '../../../messages/webhooks/server-calls.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { deletionCost, type SubscriptionState, type Term } from '../rules.ts';

/**
 * Tells who hears of a server that its node was lost and what became of it: on the site, by mail and by its webhooks. No
 * rule and no quiet hours of its alerts hold that back. Does nothing when the server was deleted since.
 */
export async function tellOfLoss(
  tx: Db,
  mailing: Mailing,
  { event_id, server_id, outcome, state_of: restored }: Loss,
  now: Date,
): Promise<void> {
  const found = await recipientsOf(tx, server_id);
  const [server] = await serversById(tx, [server_id], now);
  if (!found || !server) return;
  const { name, user_ids } = found;
  const at = server.view.address;
  const address = outcome === 'rescued' && at ? `${at.host}:${at.port}` : null;
  const state_of = restored ?? (await newestKept(tx, server_id));
  const body = { server_id, name, outcome, state_of, address };
  await notify(tx, user_ids, { type: 'server_lost', body }, `lost:${server_id}`);
  const call = {
    type: `server.${outcome}`,
    data: { state_of, address },
    about: `event ${event_id}`,
  } as const;
  await queueServerCalls(tx, { server_id, name }, call, now);
  const owner_id = user_ids[0];
  const money = await moneyOf(tx, server_id);
  const people = await tx<{ id: string; username: string }[]>`
    select id, username from users where id = any(${user_ids})`;
  for (const { id: user_id, username } of people) {
    const said = { username, service: name, state_of, link: `/servers/manage/${server_id}` };
    const to = { to: null, user_id, now };
    await (outcome === 'rescued'
      ? queueMail(tx, mailing, { ...to, template: 'server_rescued', data: { ...said, address } })
      : queueMail(tx, mailing, {
          ...to,
          ...{ template: 'server_lost', data: { ...said, money: user_id === owner_id ? money : null } },
        }));
  }
}

/** The time of the newest backup of a server that does not lie on a node; null without one. */
async function newestKept(db: Db, server_id: string): Promise<string | null> {
  const [kept] = await db<{ created: string }[]>`
    select created from server_backups
    where server_id = ${server_id} and target in ('platform', 's3') and state in ('done', 'unchanged')
    order by created desc limit 1`;
  return kept?.created ?? null;
}

/** What becomes of the paid time when its owner cancels: `deletionCost` with a price; null when nothing is paid. */
async function moneyOf(db: Db, server_id: string): Promise<'refundable' | 'lost' | null> {
  const [subscription] = await db<{ state: SubscriptionState; term: Term; placed: boolean }[]>`
    select u.state, u.term, s.node_id is not null as placed
    from subscriptions u join servers s on s.id = u.server_id where u.server_id = ${server_id}`;
  const cost = deletionCost(subscription ?? null);
  return cost === 'refundable' || cost === 'lost' ? cost : null;
}
