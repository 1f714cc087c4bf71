-- whom invoices are made out to, as the payer typed it; invoices keep what they said
create table billing_addresses (
  user_id id primary key references users on delete cascade,
  name text not null check (char_length(name) <= 100),
  address text not null check (char_length(address) <= 500),
  tax_id text not null check (char_length(tax_id) <= 30)
);
