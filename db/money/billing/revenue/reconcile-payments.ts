import type { Db } from '../../../platform/postgres/sql.ts';
import { type Difference, max_differences } from './difference.ts';

/**
 * Compares the accounts of processors, income and customers with charges, refunds, disputes and fees; empty when all agree.
 *
 * A charge that is `refunded` was given back whole, whether its refunds have rows or not. What a dispute took, and its fees,
 * stand in the ledger alone: they count for charges that are disputed, and not beyond the amount of the charge.
 */
export const reconcilePayments = async (db: Db): Promise<Difference[]> =>
  await db<Difference[]>`
    with given as (
      select charge_id, sum(amount_minor) as amount from refunds group by charge_id
    ), taken as (
      select t.charge_id, -sum(e.amount_minor) as amount
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account_id like 'processor:%'
      where t.kind in ('dispute', 'dispute_won') group by t.charge_id
    ), money as (
      select c.id, c.user_id, c.processor, c.currency, c.state, c.amount_minor as amount, c.fee_minor, c.fee_currency,
        case when u.product = 'plus' then 'income:plus' else 'income:servers' end as income,
        case c.state when 'refunded' then c.amount_minor when 'succeeded' then coalesce(g.amount, 0) else 0 end as given,
        case when c.dispute is null then 0
          else least(greatest(coalesce(t.amount, case c.dispute when 'lost' then c.amount_minor else 0 end), 0),
            c.amount_minor) end as disputed
      from charges c join subscriptions u on u.id = c.subscription_id left join given g on g.charge_id = c.id
        left join taken t on t.charge_id = c.id
    ), expected as (
      select 'processor:' || processor as account, currency, amount - given - disputed as amount from money
      where state in ('succeeded', 'refunded')
      union all
      select 'processor:' || processor, fee_currency, -fee_minor from money where fee_minor is not null
      union all
      select e.account_id, e.currency, e.amount_minor
      from charges c cross join unnest(array['dispute', 'dispute_won']) as step
        join ledger_transactions t on t.kind = 'fee' and t.reference = step || ':' || c.id
        join ledger_entries e on e.transaction_id = t.id and e.account_id = 'processor:' || c.processor
      where c.dispute is not null
      union all
      select income, currency, given + disputed - amount from money where state <> 'failed'
      union all
      select 'customer:' || user_id, currency, amount from money where state in ('open', 'waiting')
    ), sums as (
      select account, currency, sum(amount) as amount from expected group by account, currency
    ), ledger as (
      select account_id as account, currency, sum(amount_minor) as amount from ledger_entries
      where account_id like 'processor:%' or account_id like 'income:%' or account_id like 'customer:%'
      group by account_id, currency
    )
    select account || ' ' || currency as what, coalesce(l.amount, 0)::text as ledger, coalesce(s.amount, 0)::text as expected
    from ledger l full join sums s using (account, currency)
    where coalesce(l.amount, 0) <> coalesce(s.amount, 0) order by what limit ${max_differences}`;
