/*
 * What a charge pays for, as it was sold: its subscription may have another size and interval since. Charges from before have
 * what their change of plan, order or invoice says, else what their subscription has now.
 */
alter table charges
  add column product text check (product in ('server', 'plus')),
  add column ram_mb int check (ram_mb > 0),
  add column term text check (term in ('monthly', 'quarterly', 'yearly', 'trial'));
update charges c set
  product = u.product,
  ram_mb = case u.product when 'server' then coalesce(
    (select p.ram_mb from plan_changes p where p.charge_id = c.id limit 1),
    case c.reason when 'first' then (select o.ram_mb from orders o where o.id = u.order_id) end,
    (select (substring(i.content->'item'->>'product' from '^(\d{1,4}) GB$'))::int * 1024 from invoices i
      where i.charge_id = c.id and i.kind = 'invoice'),
    u.ram_mb) end,
  term = coalesce(
    (select p.term from plan_changes p where p.charge_id = c.id limit 1),
    case c.reason when 'first' then (select o.term from orders o where o.id = u.order_id) end,
    (select i.content->'item'->>'term' from invoices i where i.charge_id = c.id and i.kind = 'invoice'),
    u.term)
from subscriptions u where u.id = c.subscription_id;
alter table charges
  alter column product set not null,
  alter column term set not null,
  add constraint charges_product check ((product = 'plus') = (ram_mb is null));
