-- how many trials a network had on a day; the network is a keyed hash that changes with the day
create table trial_networks (
  day date not null,
  network text not null,
  trials integer not null check (trials > 0),
  primary key (day, network)
);
insert into secrets (name, key) values ('trial_networks', gen_random_uuid()::text || gen_random_uuid()::text);
