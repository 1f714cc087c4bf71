-- where the money of a person goes, as they typed it last
create table payout_details (
  user_id id primary key references users on delete cascade,
  country text not null check (country ~ '^[A-Z]{2}$'),
  name text not null default '' check (char_length(name) <= 100),
  paypal_address text check (char_length(paypal_address) <= 254),
  venmo_handle text check (char_length(venmo_handle) <= 40),
  delivery_email text check (char_length(delivery_email) <= 254)
);

/*
 * What creators withdraw. The ledger has a transaction `payout` with the id as its reference, and one `returned:<id>` when
 * the money came back. Amounts are minor units of US dollars; the provider sends `amount_minor - fee_minor`.
 */
create table payouts (
  id id primary key,
  -- of an account that is gone: the Ghost user
  user_id id not null references users on delete restrict,
  -- the caller's: the same request twice is one payout
  op_id text collate "C" not null check (char_length(op_id) between 1 and 100),
  provider text not null check (provider in ('paypal', 'tremendous', 'bank', 'test')),
  method_type text not null check (method_type in ('paypal', 'venmo', 'tremendous', 'bank')),
  method_id text not null check (char_length(method_id) between 1 and 100),
  method_name text not null check (char_length(method_name) <= 200),
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- empty once the account is gone
  address text not null check (char_length(address) <= 254),
  receiver text not null check (char_length(receiver) <= 100),
  currency text,
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null check (fee_minor >= 0 and fee_minor < amount_minor),
  -- unknown: the provider did not say yet that it has it
  state text not null check (state in ('unknown', 'in-transit', 'cancelling', 'success', 'cancelled', 'failed')),
  reference text check (char_length(reference) <= 200),
  failure text check (char_length(failure) <= 100),
  created timestamptz not null,
  settled timestamptz,
  checks int not null default 0,
  -- when a job asks the provider
  next_check timestamptz not null,
  unique (user_id, op_id),
  check ((settled is null) = (state in ('unknown', 'in-transit', 'cancelling')))
);
create index payouts_user on payouts (user_id, created desc, id);
create index payouts_newest on payouts (created desc, id);
create index payouts_due on payouts (next_check) where settled is null;

-- events of webhooks that were heard, so that none counts twice
create table payout_events (
  provider text not null,
  id text collate "C" not null check (char_length(id) between 1 and 200),
  created timestamptz not null,
  primary key (provider, id)
);
create index payout_events_created on payout_events (created);

-- what the provider of demo installations was told; no money moves
create table test_payouts (
  key text primary key,
  address text not null,
  amount_minor bigint not null,
  state text not null check (state in ('in-transit', 'success', 'cancelled', 'failed')),
  failure text,
  created timestamptz not null
);
create index test_payouts_created on test_payouts (created);
