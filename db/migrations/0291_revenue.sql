/*
 * Creators' revenue. The ledger takes transactions that belong to no charge: each kind of them has a reference of its own,
 * and is posted once for it, as a charge has one invoice.
 */
alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check check (kind in
  ('customer', 'processor', 'income', 'source', 'undivided', 'platform', 'pending', 'creator', 'remainder', 'payout'));
alter table ledger_transactions drop constraint ledger_transactions_kind_check;
alter table ledger_transactions add constraint ledger_transactions_kind_check check (kind in
  ('invoice', 'payment', 'void', 'refund', 'dispute', 'dispute_won', 'earning', 'division', 'release', 'remainder', 'payout'));
alter table ledger_transactions alter column charge_id drop not null;
alter table ledger_transactions add column reference text check (char_length(reference) between 1 and 100);
alter table ledger_transactions add constraint ledger_transactions_about
  check (num_nonnulls(charge_id, reference) = 1);
alter table ledger_transactions add constraint ledger_transactions_reference unique (kind, reference);

-- income of a month in UTC (its first day) whose release has not come is `pending:<month>`; a division is income of one day
-- or of days before it that had no points, shared by the points of that day
create table revenue_divisions (
  id int primary key generated always as identity,
  -- whose points shared it
  day date not null,
  -- the month with which it is released: that of the day, or the current one when that was released before
  period date not null check (extract(day from period) = 1),
  -- minor units of US dollars
  amount_minor bigint not null check (amount_minor > 0),
  fees_minor bigint not null check (fees_minor >= 0),
  -- what the platform keeps after fees, and what creators get
  kept_minor bigint not null check (kept_minor >= 0),
  shared_minor bigint not null check (shared_minor >= 0),
  points bigint not null check (points > 0),
  created timestamptz not null,
  check (amount_minor = fees_minor + kept_minor + shared_minor)
);
create index revenue_divisions_period on revenue_divisions (period);
create index revenue_divisions_day on revenue_divisions (day);

-- what was earned on a day, as an ad network reports it or as staff entered it
create table revenue_incomes (
  id id primary key,
  day date not null,
  source text not null check (source in ('ads', 'plus')),
  -- what the payer calls it: the same report entered twice is refused
  reference text collate "C" not null check (char_length(reference) between 1 and 80),
  amount_minor bigint not null check (amount_minor > 0),
  fees_minor bigint not null default 0 check (fees_minor between 0 and amount_minor),
  currency text not null default 'USD' check (currency = 'USD'),
  impressions bigint not null default 0 check (impressions >= 0),
  note text not null default '' check (char_length(note) <= 500),
  -- null: the operator at the machine, or an account that is gone
  entered_by id references users on delete set null,
  created timestamptz not null,
  -- null until it was divided
  division_id int references revenue_divisions on delete restrict,
  unique (source, reference)
);
create index revenue_incomes_day on revenue_incomes (day desc, id);
create index revenue_incomes_undivided on revenue_incomes (day) where division_id is null;

/*
 * What each person earns by each project, in millionths of a dollar: the sum over a division is its `shared_minor` exactly.
 * No references: projects and people may go, and millions of rows are written at once. Written once, never changed.
 */
create table revenue_shares (
  division_id int not null,
  project_id text collate "C" not null,
  user_id text collate "C" not null,
  amount_micros bigint not null check (amount_micros > 0)
);
create unique index revenue_shares_project on revenue_shares (project_id, division_id, user_id);
create index revenue_shares_user on revenue_shares (user_id, division_id);
create trigger revenue_shares_kept before update or delete on revenue_shares
  for each row execute function ledger_kept();

-- months whose income was released to creators, each once
create table revenue_releases (
  period date primary key check (extract(day from period) = 1),
  released_minor bigint not null check (released_minor >= 0),
  creators int not null check (creators >= 0),
  created timestamptz not null
);

-- less than a minor unit that a creator was not credited yet: it counts with the next release
create table revenue_remainders (
  user_id text collate "C" primary key,
  amount_micros int not null check (amount_micros between 1 and 9999)
);
