-- Who wants to hear of new projects of whom.
create table user_follows (
  user_id id not null references users on delete cascade,
  followed_id id not null references users on delete cascade,
  created timestamptz not null default now(),
  primary key (user_id, followed_id),
  constraint user_follows_others check (user_id <> followed_id)
);
-- the followers of a person are read in pages, by user
create index user_follows_followers on user_follows (followed_id, user_id);

-- when a project was public first: followers of its people hear of that once
alter table projects add column first_public timestamptz;
update projects set first_public = coalesce(approved, published) where approved is not null or status = 'approved';
