-- addresses that open once: whoever shows one may fetch everything of a server; only the hash is kept
create table server_tickets (
  hash text primary key,
  server_id id not null references servers on delete cascade,
  user_id id not null references users on delete cascade,
  expires timestamptz not null,
  used timestamptz
);
create index server_tickets_expires on server_tickets (expires);
