-- logs of servers under an address that nobody can guess, without secrets, until their end
create table shared_logs (
  id text primary key check (length(id) = 24),
  server_id id not null references servers on delete cascade,
  -- who shared it
  user_id id references users on delete set null,
  -- path of its file; '' is the console
  name text not null check (length(name) <= 1024),
  text text not null,
  bytes int not null,
  -- of db/hosting/servers/crashes, when it was shared
  findings jsonb not null,
  created timestamptz not null default now(),
  expires timestamptz not null
);
create index shared_logs_server on shared_logs (server_id, created desc);
create index shared_logs_user on shared_logs (user_id);
create index shared_logs_expires on shared_logs (expires);
