-- What is asked for after the password of a user: a code of an authenticator app, a passkey, or either.
create table two_factor (
  user_id id primary key references users on delete cascade,
  -- of the authenticator app, sealed; null without one
  totp_secret text,
  -- the 30-second step of the last code that was used
  last_step bigint,
  -- whether a passkey is asked for
  passkeys boolean not null default false,
  created timestamptz not null,
  check (totp_secret is not null or passkeys)
);

-- codes for people who lost their second factor, each usable once; salted hashes by argon2
create table backup_codes (
  user_id id not null references two_factor on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

create table passkeys (
  id id primary key,
  user_id id not null references users on delete cascade,
  credential_id text not null,
  public_key bytea not null,
  -- of the authenticator; 0 for those that do not count
  counter bigint not null,
  transports text[] not null,
  -- whether other devices of its owner can have it, and whether they do
  multi_device boolean not null,
  backed_up boolean not null,
  name text not null,
  created timestamptz not null,
  last_used timestamptz,
  constraint passkey_known unique (credential_id)
);
create index passkeys_user on passkeys (user_id);
