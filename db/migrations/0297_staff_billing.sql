/*
 * What staff give back of charges, each once for its `op_id`. What is given back because nothing was delivered has no row
 * here: such a charge is `refunded`, and lost what was left of it.
 */
create table refunds (
  id id primary key,
  op_id uuid not null unique,
  charge_id id not null references charges on delete restrict,
  amount_minor bigint not null check (amount_minor > 0),
  reason text not null check (char_length(reason) between 1 and 500),
  -- whether the service ended with it
  takes_service boolean not null,
  -- null: the operator at the machine, or an account that is gone
  actor_id id references users on delete set null,
  created timestamptz not null,
  -- when the processor had it; null until then
  sent timestamptz
);
create index refunds_charge on refunds (charge_id, created);
create index refunds_unsent on refunds (created) where sent is null;

-- days that staff gave to subscriptions
create table billing_credits (
  id id primary key,
  op_id uuid not null,
  subscription_id id not null references subscriptions on delete restrict,
  days int not null check (days between 1 and 366),
  reason text not null check (char_length(reason) between 1 and 500),
  actor_id id references users on delete set null,
  created timestamptz not null,
  unique (op_id, subscription_id)
);
create index billing_credits_subscription on billing_credits (subscription_id, created);

-- what staff note about somebody's payments
create table billing_notes (
  id id primary key,
  user_id id not null references users on delete cascade,
  actor_id id references users on delete set null,
  text text not null check (char_length(text) between 1 and 2000),
  created timestamptz not null
);
create index billing_notes_user on billing_notes (user_id, created desc);

-- the last number of each series of invoices; the row is locked until the commit, so that no number is left out
create table invoice_counters (
  series text primary key,
  last bigint not null check (last > 0)
);
-- invoices and credit notes as they were issued: who sold what at which tax then. Written once, never changed.
create table invoices (
  id id primary key,
  series text not null,
  number bigint not null check (number > 0),
  charge_id id not null references charges on delete restrict,
  -- of a credit note about a refund by staff
  refund_id id references refunds on delete restrict,
  kind text not null check (kind in ('invoice', 'credit_note')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  content jsonb not null,
  issued timestamptz not null,
  unique (series, number)
);
create unique index invoices_once on invoices (charge_id, kind, coalesce(refund_id, ''));
create function invoices_kept() returns trigger language plpgsql as $$
begin
  raise exception 'invoices are never changed' using errcode = 'restrict_violation';
end $$;
create trigger invoices_kept before update or delete on invoices for each row execute function invoices_kept();

-- customers whose account is gone: the processor is told until it has forgotten them
create table forgotten_customers (
  processor text not null,
  reference text not null,
  since timestamptz not null,
  primary key (processor, reference)
);

create index charges_user on charges (user_id, created desc);
create index charges_settled on charges (processor, settled) where state in ('succeeded', 'refunded');
create index ledger_transactions_created on ledger_transactions (created desc, id desc);
