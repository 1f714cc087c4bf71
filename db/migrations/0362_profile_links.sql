-- Where else people are found: shown on their profile.
alter table users add column links text[] not null default '{}'
  constraint links_few check (cardinality(links) <= 3);
