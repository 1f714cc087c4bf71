-- Apps of other people that sign users in here and act for them (OAuth 2.0).
create table oauth_clients (
  id id primary key,
  name text not null,
  icon_key text,
  raw_icon_key text,
  color integer,
  -- the most that the app may ask for
  max_scopes bigint not null,
  -- null for apps that run on devices of their users and can keep no secret
  secret_hash text,
  url text,
  description text,
  created_by id not null references users on delete cascade,
  created timestamptz not null
);
create index oauth_clients_owner on oauth_clients (created_by, created desc);

create table oauth_redirect_uris (
  id id primary key,
  client_id id not null references oauth_clients on delete cascade,
  uri text not null,
  position integer not null
);
create unique index oauth_redirect_uris_client on oauth_redirect_uris (client_id, uri);

-- what a user lets an app do; revoking it deletes the row and with it the tokens
create table oauth_authorizations (
  id id primary key,
  client_id id not null references oauth_clients on delete cascade,
  user_id id not null references users on delete cascade,
  scopes bigint not null,
  created timestamptz not null
);
create unique index oauth_authorizations_pair on oauth_authorizations (user_id, client_id);
create index oauth_authorizations_client on oauth_authorizations (client_id);

create table oauth_tokens (
  token_hash text primary key,
  authorization_id id not null references oauth_authorizations on delete cascade,
  scopes bigint not null,
  -- of the code it was issued for: a code that is sent again ends it
  code_hash text not null,
  created timestamptz not null,
  expires timestamptz not null,
  last_used timestamptz
);
create index oauth_tokens_authorization on oauth_tokens (authorization_id);
create index oauth_tokens_code on oauth_tokens (code_hash);
