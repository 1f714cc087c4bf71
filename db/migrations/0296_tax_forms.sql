-- the tax form of a person, asked for before more than a certain sum is paid out in a year
create table tax_forms (
  user_id id primary key references users on delete cascade,
  form_type text not null check (form_type in ('W-9', 'W-8BEN', 'W-8BEN-E')),
  -- what was stated, encrypted for `tax:<user id>`; null while it was only asked for
  sealed text,
  requested timestamptz not null,
  signed timestamptz,
  check ((sealed is null) = (signed is null))
);
