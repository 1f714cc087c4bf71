/*
 * Payouts by bank: instructions wait until the operator writes them into a file for the bank (ISO 20022 pain.001), each into
 * one file, and says what became of it.
 */
create table bank_files (
  -- the id of the message, which the bank repeats
  id text collate "C" primary key check (char_length(id) between 1 and 35),
  currency text not null check (currency in ('EUR', 'USD')),
  -- how many of the currency were one dollar
  exchange_rate text not null check (char_length(exchange_rate) <= 11),
  debtor_name text not null,
  debtor_iban text not null,
  debtor_bic text,
  execution_day date not null,
  created timestamptz not null,
  confirmed timestamptz
);
create index bank_files_open on bank_files (created) where confirmed is null;

create table bank_payouts (
  -- of the payout, and the end-to-end id at the bank
  key text collate "C" primary key check (char_length(key) between 1 and 35),
  -- who gets it; empty once it is over
  receiver text not null check (char_length(receiver) <= 200),
  iban text not null check (char_length(iban) <= 34),
  -- minor units of US dollars
  amount_minor bigint not null check (amount_minor > 0),
  state text not null check (state in ('waiting', 'exported', 'success', 'failed', 'cancelled')),
  created timestamptz not null,
  file_id text collate "C" references bank_files on delete restrict,
  -- minor units of the currency of the file
  file_amount_minor bigint check (file_amount_minor > 0),
  check ((file_id is null) = (state in ('waiting', 'cancelled'))),
  check ((file_id is null) = (file_amount_minor is null))
);
create index bank_payouts_waiting on bank_payouts (created, key) where state = 'waiting';
create index bank_payouts_file on bank_payouts (file_id, key);
create index bank_payouts_created on bank_payouts (created, key);
