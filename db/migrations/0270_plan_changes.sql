-- what a subscription pays for may differ from what was ordered
alter table subscriptions add column plan text, add column ram_mb integer check (ram_mb > 0);
update subscriptions u set plan = o.plan, ram_mb = o.ram_mb from orders o where o.id = u.order_id;
alter table subscriptions alter column plan set not null, alter column ram_mb set not null;

alter table charges drop constraint charges_reason_check,
  add constraint charges_reason_check check (reason in ('first', 'renewal', 'again', 'change'));

-- changes of plan and interval. `paying`: its charge is not settled; `scheduled`: begins with the next period; `paid`: its
-- server is still to be resized
create table plan_changes (
  id id primary key,
  -- of the request: the same one twice is one change
  op_id uuid not null unique,
  subscription_id id not null references subscriptions on delete cascade,
  server_id id not null,
  state text not null check (state in ('paying', 'scheduled', 'paid', 'applied', 'failed', 'cancelled')),
  plan text not null,
  ram_mb integer not null check (ram_mb > 0),
  cpu_millis integer not null check (cpu_millis > 0),
  disk_mb integer not null check (disk_mb > 0),
  term text not null check (term in ('monthly', 'quarterly', 'yearly')),
  price_minor bigint not null check (price_minor >= 0),
  -- what the unused part of the old period was worth
  credit_minor bigint not null check (credit_minor >= 0),
  charge_id id references charges on delete restrict,
  created timestamptz not null,
  ended timestamptz
);
create unique index plan_changes_open on plan_changes (subscription_id) where state in ('paying', 'scheduled', 'paid');
create index plan_changes_charge on plan_changes (charge_id);

-- servers with the room that a change which is being paid, or is paid, needs: nobody else gets it meanwhile
create view reserved_servers as
  select s.id, s.node_id, greatest(s.ram_mb, coalesce(c.ram_mb, 0)) as ram_mb,
    greatest(s.cpu_millis, coalesce(c.cpu_millis, 0)) as cpu_millis, greatest(s.disk_mb, coalesce(c.disk_mb, 0)) as disk_mb
  from servers s left join plan_changes c on c.server_id = s.id and c.state in ('paying', 'paid');
