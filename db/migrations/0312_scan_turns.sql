-- when a file of an account was taken for its first scan the last time: accounts take turns
create unlogged table scan_turns (
  user_id id primary key references users on delete cascade,
  served timestamptz not null
);
