-- the name of a server below SERVERS_DOMAIN.
create table server_subdomains (
  server_id id primary key references servers on delete cascade,
  -- as db/hosting/servers/names/rules.ts allows
  name text not null constraint subdomain_taken unique check (name ~ '^[a-z0-9][a-z0-9-]{3,30}[a-z0-9]$'),
  created timestamptz not null default now()
);

-- panels show the new address within a second
create function server_subdomains_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('hosting', 'server:' || coalesce(new.server_id, old.server_id));
  return null;
end $$;
create trigger server_subdomains_told after insert or update or delete on server_subdomains
  for each row execute function server_subdomains_notify();
