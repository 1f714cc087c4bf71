-- how a person pays: what the processor calls it, and what may be shown of it; numbers are never kept
create table payment_methods (
  id id primary key,
  user_id id not null references users on delete restrict,
  processor text not null,
  reference text not null,
  brand text not null,
  last_four text not null check (last_four ~ '^[0-9]{4}$'),
  expires_month integer not null check (expires_month between 1 and 12),
  expires_year integer not null,
  created timestamptz not null,
  unique (user_id, processor, reference, expires_month, expires_year)
);

-- what was ordered, once for each op_id; the server gets the id made here
create table orders (
  id id primary key,
  op_id uuid not null unique,
  user_id id not null references users on delete restrict,
  server_id id not null unique,
  state text not null check (state in ('pending', 'paid', 'failed', 'refunded')),
  name text not null check (char_length(name) between 1 and 48),
  kind text not null,
  game_version text not null,
  loader text,
  region text not null,
  plan text not null,
  ram_mb integer not null check (ram_mb > 0),
  cpu_millis integer not null check (cpu_millis > 0),
  swap_mb integer not null check (swap_mb >= 0),
  disk_mb integer not null check (disk_mb > 0),
  term text not null check (term in ('monthly', 'quarterly', 'yearly', 'trial')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  price_minor bigint not null check (price_minor >= 0),
  terms_accepted timestamptz not null,
  created timestamptz not null
);
create index orders_user on orders (user_id, created desc);
-- what is not placed yet counts as taken
create index orders_region on orders (region) where state in ('pending', 'paid');
create unique index trial_used on orders (user_id) where plan = 'trial' and state in ('pending', 'paid');

create table subscriptions (
  id id primary key,
  order_id id not null unique references orders on delete restrict,
  server_id id not null unique,
  user_id id not null references users on delete restrict,
  state text not null check (state in ('pending', 'active', 'failed', 'cancelled', 'grace', 'ended')),
  term text not null check (term in ('monthly', 'quarterly', 'yearly', 'trial')),
  currency text not null,
  price_minor bigint not null check (price_minor >= 0),
  method_id id references payment_methods on delete restrict,
  -- the first day of the row of periods: what the 31st goes back to after a February
  anchor timestamptz,
  period_start timestamptz,
  period_end timestamptz,
  attempts integer not null default 0,
  next_attempt timestamptz,
  grace_reason text check (grace_reason in ('cancelled', 'trial_ended', 'payment_failed')),
  grace_until timestamptz,
  created timestamptz not null,
  check ((state = 'grace') = (grace_until is not null)),
  check (state in ('pending', 'ended') or period_end is not null)
);
create index subscriptions_user on subscriptions (user_id, created desc);
create index subscriptions_open on subscriptions (state) where state <> 'ended';

-- money asked of somebody for one period; its id is the key by which the processor knows it, however often it is asked
create table charges (
  id id primary key,
  subscription_id id not null references subscriptions on delete restrict,
  user_id id not null references users on delete restrict,
  method_id id references payment_methods on delete restrict,
  reason text not null check (reason in ('first', 'renewal', 'again')),
  state text not null check (state in ('open', 'waiting', 'succeeded', 'failed', 'refunded')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  processor text not null,
  intent_id text unique,
  failure text,
  created timestamptz not null,
  settled timestamptz
);
create index charges_subscription on charges (subscription_id, created desc);
create index charges_unsettled on charges (created) where state in ('open', 'waiting');

-- what the processor told us, each once
create table webhook_events (
  processor text not null,
  id text not null,
  received timestamptz not null,
  primary key (processor, id)
);

/*
 * The ledger: every amount is a transaction of entries that sum to zero in each currency. Written once, never changed:
 * what was wrong is balanced by another transaction.
 */
create table ledger_accounts (
  id text primary key,
  kind text not null check (kind in ('customer', 'processor', 'income'))
);
create table ledger_transactions (
  id id primary key,
  kind text not null check (kind in ('invoice', 'payment', 'void', 'refund')),
  charge_id id not null references charges on delete restrict,
  created timestamptz not null,
  -- one invoice, one payment, one void, one refund for each charge
  unique (charge_id, kind)
);
create table ledger_entries (
  transaction_id id not null references ledger_transactions on delete restrict,
  account_id text not null references ledger_accounts on delete restrict,
  currency text not null,
  amount_minor bigint not null check (amount_minor <> 0),
  primary key (transaction_id, account_id, currency)
);
create index ledger_entries_account on ledger_entries (account_id);

create function ledger_balanced() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from ledger_entries where transaction_id = new.transaction_id
    group by currency having sum(amount_minor) <> 0
  ) then
    raise exception 'ledger transaction % does not balance', new.transaction_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_entries_balanced after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_balanced();
create function ledger_kept() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is never changed' using errcode = 'restrict_violation';
end $$;
create trigger ledger_entries_kept before update or delete on ledger_entries
  for each row execute function ledger_kept();
create trigger ledger_transactions_kept before update or delete on ledger_transactions
  for each row execute function ledger_kept();

-- 244 random bits: what the test processor signs with
insert into secrets (name, key) values ('test_payments', gen_random_uuid()::text || gen_random_uuid()::text);
