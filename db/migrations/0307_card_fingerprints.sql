/*
 * What the processor calls the number of a card, the same whenever it is entered; null where it names none. A card that is
 * entered again is the same method: it gets the new reference, and the earlier ones are forgotten at the processor with it.
 */
alter table payment_methods add column fingerprint text;
alter table payment_methods add column superseded text[] not null default '{}';
create index payment_methods_fingerprint on payment_methods (user_id, processor, fingerprint) where fingerprint is not null;
