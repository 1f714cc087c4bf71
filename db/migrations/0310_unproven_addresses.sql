-- how many mails an address got on a day that nobody has shown to be theirs; the address is a keyed hash that changes with
-- the day
create table unproven_addresses (
  day date not null,
  address text not null,
  mails integer not null check (mails > 0),
  primary key (day, address)
);
