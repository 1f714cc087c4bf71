-- the customer that a user is at a payment processor: methods belong to it there
create table payment_customers (
  user_id id not null references users on delete cascade,
  processor text not null,
  reference text not null,
  created timestamptz not null,
  primary key (user_id, processor)
);

-- a payer disputes a payment with the bank, which takes the money and gives it back when the dispute is won
alter table charges add column dispute text check (dispute in ('open', 'won', 'lost'));
alter table charges add column dispute_id text;
alter table ledger_transactions drop constraint ledger_transactions_kind_check;
alter table ledger_transactions add constraint ledger_transactions_kind_check
  check (kind in ('invoice', 'payment', 'void', 'refund', 'dispute', 'dispute_won'));
