-- Networks from which a person signed in, as hashes: wrong guesses from elsewhere must not lock them out there.
create table known_networks (
  user_id id not null references users on delete cascade,
  network_hash text not null,
  last_used timestamptz not null,
  primary key (user_id, network_hash)
);
