-- what a user may fetch from a server once, and the uploads to servers: only the hash of an address is kept
drop table server_tickets;
create table server_tickets (
  hash text primary key,
  -- archive: all files; file: one as it is; paths: an archive of some; backup; upload: many requests until it is placed
  kind text not null check (kind in ('archive', 'file', 'paths', 'backup', 'upload')),
  server_id id not null references servers on delete cascade,
  user_id id not null references users on delete cascade,
  -- of the session or token that it was requested with: when that ends, the ticket does
  token_hash text,
  args jsonb not null default '{}',
  expires timestamptz not null,
  used timestamptz,
  -- an upload has one ticket, and takes bytes of one request at a time: of the holder, until it stops renewing that
  upload_id uuid unique,
  holder text,
  held_until timestamptz,
  check ((kind = 'upload') = (upload_id is not null))
);
create index server_tickets_expires on server_tickets (expires);
create index server_tickets_server on server_tickets (server_id);

-- addresses that agents send to or fetch from, once: the plane with the other end of the stream waits for them
create table server_transfers (
  hash text primary key,
  server_id id not null references servers on delete cascade,
  -- without a reference: planes are unlogged, and a dead one is answered `plane_away`
  plane_id text not null,
  direction text not null check (direction in ('to', 'from')),
  expires timestamptz not null,
  used timestamptz
);
create index server_transfers_expires on server_transfers (expires);
create index server_transfers_server on server_transfers (server_id);

-- how far an operation is: {done, total}; the trigger of the table notifies all planes
alter table server_operations add column progress jsonb;
