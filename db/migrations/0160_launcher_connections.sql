-- Open connections of launchers, for the status that friends see; losing it in a crash harms nobody.
create unlogged table launcher_connections (
  id uuid primary key,
  user_id id not null references users on delete cascade,
  profile_name text,
  last_update timestamptz not null,
  -- a row whose process ended without closing it grows old
  seen timestamptz not null
);
create index launcher_connections_user on launcher_connections (user_id);
create index launcher_connections_seen on launcher_connections (seen);
