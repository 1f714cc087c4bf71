-- Plus: a subscription without a server, one for each person at a time
alter table subscriptions
  add column product text not null default 'server' check (product in ('server', 'plus')),
  -- of the request that bought Plus, until its payment fails: the same one twice is one subscription; servers have that of
  -- their order
  add column op_id uuid unique,
  -- the interval of Plus that was chosen for the next period, and its price
  add column next_term text check (next_term in ('monthly', 'quarterly', 'yearly')),
  add column next_price_minor bigint check (next_price_minor > 0),
  alter column order_id drop not null,
  alter column server_id drop not null,
  alter column ram_mb drop not null;
alter table subscriptions add constraint subscriptions_product check (
  case product
    when 'server' then num_nulls(order_id, server_id, ram_mb) = 0 and num_nonnulls(op_id, next_term, next_price_minor) = 0
    else num_nonnulls(order_id, server_id, ram_mb) = 0
      and num_nonnulls(next_term, next_price_minor) in (0, 2) and plan = 'plus' and term <> 'trial'
  end);
create unique index subscriptions_plus on subscriptions (user_id) where product = 'plus' and state <> 'ended';

-- who has Plus now: it counts while a failed payment is tried again, and until a period that was canceled ends
create view plus_members as
  select user_id from subscriptions where product = 'plus' and state in ('active', 'failed', 'cancelled');

-- what of a charge of Plus goes to creators when it is paid, in US cents
alter table charges add column creators_minor bigint check (creators_minor > 0);
