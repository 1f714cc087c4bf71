/*
 * Every refund has a row, and with it whether the processor had it. `staff` gave it back; `late`: the payment came when
 * nothing was to be paid any more; `undelivered`: its server had no place. Of the last two there is one for each charge, with
 * the id of the charge: by that the processor knows those from before, too.
 */
alter table refunds
  add column cause text not null default 'staff' check (cause in ('staff', 'late', 'undelivered')),
  -- when billing last sent it without an answer: what fails goes behind the others
  add column last_tried timestamptz,
  alter column reason drop not null;
alter table refunds add constraint refunds_reason check ((cause = 'staff') = (reason is not null));

-- nobody noted whether the processor had these: they are sent again, which it takes for the same refund
insert into refunds (id, op_id, charge_id, amount_minor, takes_service, created, sent, cause)
select c.id, gen_random_uuid(), c.id, -e.amount_minor, false, t.created,
  case when c.processor = 'test' then t.created end,
  case when t.created = c.settled then 'late' else 'undelivered' end
from ledger_transactions t join charges c on c.id = t.charge_id
  join ledger_entries e on e.transaction_id = t.id and e.account_id = 'processor:' || c.processor
where t.kind = 'refund';
