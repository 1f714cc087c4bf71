create extension if not exists citext;
create extension if not exists pg_trgm;
create extension if not exists intarray;
create extension if not exists unaccent;

-- ids are the API's base62 text, compared byte by byte
create domain id as text collate "C" check (value ~ '^[0-9A-Za-z]{1,11}$');

create table users (
  id id primary key,
  username citext not null,
  email citext,
  email_verified boolean not null default false,
  password_hash text,
  bio text,
  avatar_key text,
  raw_avatar_key text,
  created timestamptz not null default now(),
  role text not null default 'developer' check (role in ('developer', 'moderator', 'admin')),
  badges bigint not null default 0,
  constraint username_taken unique (username),
  constraint email_taken unique (email)
);

-- lucia's table: id is the SHA-256 of the token, public_id is what people see and revoke by
create table sessions (
  id text primary key,
  public_id id not null unique,
  user_id id not null references users on delete cascade,
  expires_at timestamptz not null,
  created timestamptz not null default now(),
  last_used timestamptz not null default now(),
  os text,
  platform text,
  user_agent text
);
create index sessions_user on sessions (user_id);

create table tokens (
  id id primary key,
  user_id id not null references users on delete cascade,
  name text not null,
  token_hash text not null unique,
  scopes bigint not null,
  created timestamptz not null default now(),
  expires timestamptz not null,
  last_used timestamptz
);
create index tokens_user on tokens (user_id);

-- generic cell rate algorithm: one theoretical arrival time a key; losing it in a crash harms nobody
create unlogged table rate_limits (
  key text primary key,
  arrival timestamptz not null
);
create index rate_limits_arrival on rate_limits (arrival);
