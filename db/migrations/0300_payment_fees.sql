/*
 * What a payment processor keeps of a payment, in the currency in which it settles; null until it says so. The ledger has
 * a transaction `fee` for each: `charge:<id>`, and `dispute:<id>` and `dispute_won:<id>` for those of a dispute.
 */
alter table charges add column fee_minor bigint;
alter table charges add column fee_currency text check (fee_currency ~ '^[A-Z]{3}$');
alter table charges add column fee_asked timestamptz;
alter table charges add constraint charges_fee check ((fee_minor is null) = (fee_currency is null));
create index charges_without_fee on charges (processor, settled)
  where state in ('succeeded', 'refunded') and fee_minor is null;

alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check check (kind in
  ('customer', 'processor', 'income', 'fees', 'source', 'undivided', 'platform', 'pending', 'creator', 'remainder', 'payout'));
alter table ledger_transactions drop constraint ledger_transactions_kind_check;
alter table ledger_transactions add constraint ledger_transactions_kind_check check (kind in
  ('invoice', 'payment', 'void', 'refund', 'dispute', 'dispute_won', 'fee', 'earning', 'division', 'release', 'remainder', 'payout'));
