-- how a person signs in to the files of a server by SFTP: with a password, made here and shown once, and with keys
create table sftp_passwords (
  user_id id not null references users on delete cascade,
  server_id id not null references servers on delete cascade,
  password_hash text not null,
  created timestamptz not null default now(),
  last_used timestamptz,
  primary key (user_id, server_id)
);
create index sftp_passwords_server on sftp_passwords (server_id);

create table sftp_keys (
  id id primary key,
  user_id id not null references users on delete cascade,
  server_id id not null references servers on delete cascade,
  name text not null check (name <> ''),
  -- as in authorized_keys, without options and comment
  public_key text not null,
  -- as ssh-keygen -l prints it: SHA256:...
  fingerprint text not null,
  created timestamptz not null default now(),
  last_used timestamptz,
  constraint sftp_key_taken unique (user_id, server_id, fingerprint)
);
create index sftp_keys_server on sftp_keys (server_id);

-- whoever signed in with them loses the connection within a second
create trigger sftp_passwords_told after delete or update of password_hash on sftp_passwords
  for each statement execute function hosting_notify('rights');
create trigger sftp_keys_told after delete on sftp_keys
  for each statement execute function hosting_notify('rights');
