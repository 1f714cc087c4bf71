-- accounts at sign-in providers by which users sign in
create table linked_accounts (
  provider text not null,
  -- the address whose subjects these are: another instance of the same software names other people
  issuer text not null,
  subject text not null,
  user_id id not null references users on delete cascade,
  -- the name there, for its owner
  name text,
  created timestamptz not null,
  last_used timestamptz not null,
  primary key (provider, issuer, subject),
  unique (user_id, provider)
);

-- browsers that refresh one session several times at once all get the same new one; kept for a minute
create table replaced_sessions (
  -- the hash of the replaced token
  id text primary key,
  user_id id not null references users on delete cascade,
  -- the new token, sealed
  successor text not null,
  expires timestamptz not null
);
create index replaced_sessions_expires on replaced_sessions (expires);
create index replaced_sessions_user on replaced_sessions (user_id);
