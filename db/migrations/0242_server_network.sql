-- ports of nodes and the server each belongs to: that of the game (without a name), and extra ones
create table server_ports (
  node_id id not null references nodes on delete cascade,
  port integer not null check (port between 1 and 65535),
  server_id id not null references servers on delete cascade,
  -- null is the port of the game, which a trigger keeps
  name text check (char_length(name) between 1 and 32),
  created timestamptz not null default now(),
  -- removed while its server ran, with this generation: its process has the port until it ends
  removed_generation bigint check (removed_generation is null or name is not null),
  primary key (node_id, port)
);
create index server_ports_server on server_ports (server_id);
create unique index server_ports_game on server_ports (server_id) where name is null;
create unique index server_ports_name on server_ports (server_id, lower(name)) where removed_generation is null;
insert into server_ports (node_id, port, server_id) select node_id, port, id from servers where port is not null;

-- a domain of a renter that leads players to a server
create table server_domains (
  server_id id primary key references servers on delete cascade,
  -- in punycode
  domain text not null constraint server_domain_taken unique check (char_length(domain) between 3 and 237),
  state text not null default 'pending' check (state in ('pending', 'verified', 'wrong')),
  -- `DomainFindings` of db/hosting/servers/network/rules.ts: what the last check found
  found jsonb not null default '{"problem": null, "records": []}',
  -- since when it is verified, or is not: hourly checks end a week later
  since timestamptz not null,
  checked timestamptz,
  -- when a user asked for a check last
  asked timestamptz,
  -- null: only when a user asks
  next_check timestamptz,
  created timestamptz not null
);
create index server_domains_due on server_domains (next_check);

create function server_game_port() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (old.node_id, old.port) is not distinct from (new.node_id, new.port) then
      return null;
    end if;
    delete from server_ports where server_id = new.id and (name is null or node_id is distinct from new.node_id);
  end if;
  if new.port is not null then
    insert into server_ports (node_id, port, server_id) values (new.node_id, new.port, new.id);
    -- its records have to name another port from now on
    update server_domains set next_check = 'epoch' where server_id = new.id;
  end if;
  return null;
end $$;
create trigger servers_game_port after insert or update of node_id, port on servers
  for each row execute function server_game_port();

-- a domain is part of what panels show of its server
create function server_domains_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('hosting', 'server:' || coalesce(new.server_id, old.server_id));
  return null;
end $$;
create trigger server_domains_told after insert or delete or update of domain, state, found on server_domains
  for each row execute function server_domains_notify();
