import type { Mailing } from '../../../messages/mail/queue.ts';
import type { PaidCard } from '../../../messages/mail/rules.ts';
import { billingBody, subscriptionPath, tellPayer } from '../../../messages/mail/tell-payer.ts';
import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import { cardOf, serviceName } from '../paid-with.ts';
import { addDays } from '../rules.ts';

/** How many days before a year is charged its payer is reminded, and before a server is deleted. */
const days_before = { renewal_soon: 14, deletion_soon: 1 } as const;
type ReminderKind = keyof typeof days_before;
/** So many are reminded in one run. */
const max_each = 500;

interface Due {
  id: string;
  user_id: string;
  username: string;
  server_id: string | null;
  service: string | null;
  at: string;
  /** What the next period costs, with the plan or interval that was chosen for it. */
  amount: number;
  currency: string;
  card: PaidCard | null;
}

/**
 * Reminds who pays: of a yearly renewal two weeks before it, and of the deletion of a server a day before it. Each once, in one
 * transaction with what says so; days that staff give are a new date, and a new reminder. Gives how many.
 */
export async function mailReminders(sql: Pool, mailing: Mailing, now: Date): Promise<number> {
  let sent = 0;
  for (const kind of Object.keys(days_before) as ReminderKind[])
    for (const due of await dueOf(sql, kind, now))
      sent += await sql.begin(async (tx) => ((await remind(tx, mailing, kind, due, now)) ? 1 : 0));
  return sent;
}

async function dueOf(db: Db, kind: ReminderKind, now: Date): Promise<Due[]> {
  const until = addDays(now, days_before[kind]);
  const [column, states] =
    kind === 'renewal_soon'
      ? [db`u.period_end`, db`u.state = 'active' and coalesce(u.next_term, c.term, u.term) = 'yearly'`]
      : [db`u.grace_until`, db`u.state = 'grace' and u.product = 'server'`];
  return await db<Due[]>`
    select u.id, u.user_id, p.username, u.server_id, ${column} as at, u.currency,
      coalesce(u.next_price_minor, c.price_minor, u.price_minor) as amount,
      ${serviceName(db)} as service,
      ${cardOf(db)} as card
    from subscriptions u join users p on p.id = u.user_id left join orders o on o.id = u.order_id
      left join servers s on s.id = u.server_id left join payment_methods m on m.id = u.method_id
      left join plan_changes c on c.subscription_id = u.id and c.state = 'scheduled'
    where ${states} and ${column} > ${now} and ${column} <= ${until}
      and not exists (select 1 from billing_reminders r
        where r.subscription_id = u.id and r.kind = ${kind} and r.at = ${column})
    order by ${column}, u.id limit ${max_each}`;
}

/** Gives whether this process was the first. */
async function remind(tx: Db, mailing: Mailing, kind: ReminderKind, due: Due, now: Date): Promise<boolean> {
  const { id, user_id, username, server_id, service, at, amount, currency, card } = due;
  const fresh = await tx`
    insert into billing_reminders ${tx({ subscription_id: id, kind, at, sent: now })}
    on conflict do nothing returning 1`;
  if (fresh.length === 0) return false;
  const link = subscriptionPath(server_id);
  if (kind === 'deletion_soon') {
    if (service !== null)
      await tellPayer(tx, mailing, {
        ...{ user_id, now },
        body: billingBody('deletion_soon', due, { at }),
        mail: { template: 'deletion_soon', data: { username, service, at, link } },
      });
    return true;
  }
  await tellPayer(tx, mailing, {
    ...{ user_id, now },
    body: billingBody('renewal_soon', due, { amount_minor: amount, currency, at }),
    mail: { template: 'renewal_soon', data: { username, amount, currency, service, card, at, link } },
  });
  return true;
}
