-- the picture of a server as its panel read it last: lists and headers show it without asking the node.
create table server_icons (
  server_id id primary key references servers on delete cascade,
  -- as db/hosting/servers/icon/rules.ts allows
  png bytea not null check (length(png) <= 24576),
  -- changes with the picture, so that its address does
  hash text not null
);

-- panels show the new picture within a second
create trigger server_icons_told after insert or update or delete on server_icons
  for each row execute function server_subdomains_notify();
