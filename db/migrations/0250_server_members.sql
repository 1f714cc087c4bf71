-- people on a server beside its owner, and invitations that were not accepted yet
create table server_members (
  server_id id not null references servers on delete cascade,
  user_id id not null references users on delete cascade,
  role text not null check (role in ('editor', 'viewer')),
  -- of db/hosting/servers/rights/rules.ts
  rights text[] not null,
  invited_by id references users on delete set null,
  created timestamptz not null default now(),
  -- null until the person accepts
  accepted timestamptz,
  primary key (server_id, user_id)
);
create index server_members_user on server_members (user_id);

-- a right that is taken away ends open connections within a second
create trigger server_members_told after insert or update or delete on server_members
  for each statement execute function hosting_notify('rights');
