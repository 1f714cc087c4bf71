import type { Db } from '../../../platform/postgres/sql.ts';
import { type Difference, max_differences } from './difference.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { microsPerMinor } from './rules.ts';

/** Compares the ledger with all that it is about: revenue of creators, and payments; empty when all agree. */
export const reconcileLedger = async (db: Db): Promise<Difference[]> => [
  ...(await reconcileRevenue(db)),
  ...(await reconcilePayments(db)),
];

/**
 * Compares the ledger with the income, divisions, shares, remainders and fees that it is about. Shares of a division are
 * compared in millionths of a dollar.
 */
const reconcileRevenue = async (db: Db): Promise<Difference[]> =>
  await db<Difference[]>`
    with sums as (
      select account_id, sum(amount_minor) as amount from ledger_entries group by account_id
    ), compared as (
      select 'transaction ' || transaction_id || ' ' || currency as what, sum(amount_minor) as ledger, 0 as expected
      from ledger_entries group by transaction_id, currency
      union all
      select coalesce(s.account_id, 'source:' || i.source), coalesce(s.amount, 0), coalesce(i.amount, 0)
      from (select * from sums where account_id like 'source:%') s
      full join (select source, sum(amount_minor) as amount from revenue_incomes group by source) i
        on s.account_id = 'source:' || i.source
      union all
      select 'undivided:creators', coalesce((select amount from sums where account_id = 'undivided:creators'), 0),
        -coalesce((select sum(amount_minor) from revenue_incomes where division_id is null), 0)
      union all
      select coalesce(s.account_id, 'pending:' || p.period), coalesce(s.amount, 0), coalesce(p.amount, 0)
      from (select * from sums where account_id like 'pending:%') s
      full join (
        select period::text as period, -sum(shared_minor) filter (where period not in (select period from revenue_releases))
          as amount from revenue_divisions group by period
      ) p on s.account_id = 'pending:' || p.period
      union all
      select 'remainder:creators', ${microsPerMinor} * coalesce((select amount from sums where account_id = 'remainder:creators'), 0),
        -coalesce((select sum(amount_micros) from revenue_remainders), 0)
      union all
      select coalesce(s.account_id, p.account_id), coalesce(s.amount, 0), coalesce(p.amount, 0)
      from (select * from sums where account_id like 'payout:%' or account_id = 'platform:payout_fees') s
      full join (
        select 'payout:' || provider as account_id, -sum(amount_minor - fee_minor) filter (where state not in ('cancelled', 'failed'))
          as amount from payouts group by provider
        union all
        select 'platform:payout_fees', -sum(fee_minor) from payouts where state not in ('cancelled', 'failed')
      ) p on p.account_id = s.account_id
      union all
      select 'fees of payments at ' || coalesce(l.processor, c.processor) || ' ' || coalesce(l.currency, c.currency),
        coalesce(l.amount, 0), coalesce(c.amount, 0)
      from (
        select split_part(e.account_id, ':', 2) as processor, e.currency, sum(e.amount_minor) as amount
        from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account_id like 'fees:%'
        where t.kind = 'fee' and t.reference like 'charge:%' group by 1, 2
      ) l full join (
        select processor, fee_currency as currency, sum(fee_minor) as amount from charges where fee_minor <> 0 group by 1, 2
      ) c on c.processor = l.processor and c.currency = l.currency
      union all
      select 'shares of division ' || d.id, ${microsPerMinor} * d.shared_minor, coalesce(s.micros, 0)
      from revenue_divisions d
      left join (select division_id, sum(amount_micros) as micros from revenue_shares group by division_id) s
        on s.division_id = d.id
    )
    select what, ledger::text as ledger, expected::text as expected from compared
    where ledger <> expected order by what limit ${max_differences}`;
