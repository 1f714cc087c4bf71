/*
 * What the processor calls the number of a card, the same whenever it is entered; null where it names none. A card that is
 * entered again is the same method: it gets the new reference, and the earlier ones are forgotten at the processor with it.
 */
alter table payment_methods add column fingerprint text;
alter table payment_methods add column superseded text[] not null default '{}';
create index payment_methods_fingerprint on payment_methods (user_id, processor, fingerprint) where fingerprint is not null;

/*
 * When the transaction of an entry was: a report of some months reads the entries of these only, from the index alone. It is
 * written once, with the entry.
 */
alter table ledger_entries add column created timestamptz;
alter table ledger_entries disable trigger ledger_entries_kept;
update ledger_entries e set created = t.created from ledger_transactions t where t.id = e.transaction_id;
alter table ledger_entries enable trigger ledger_entries_kept;
create function ledger_entry_created() returns trigger language plpgsql as $$
begin
  new.created := (select created from ledger_transactions where id = new.transaction_id);
  return new;
end $$;
-- a plan that a session made while the table was small must not scan it whole later
alter function ledger_entry_created() set enable_seqscan = off;
create trigger ledger_entry_created before insert on ledger_entries for each row execute function ledger_entry_created();
create index ledger_entries_created on ledger_entries (created) include (account_id, currency, amount_minor);
