-- What was reviewed when moderators approved a project last: what changed since is shown to the next reviewer.
create table review_snapshots (
  project_id id primary key references projects on delete cascade,
  fields jsonb not null,
  created timestamptz not null
);
-- What a moderator has found so far of a project that they review.
create table reviews (
  project_id id not null references projects on delete cascade,
  reviewer_id id not null references users on delete cascade,
  choices jsonb not null default '{}',
  stage text not null default '',
  -- the message as the reviewer wrote it; null while it is composed from the choices
  message text,
  updated timestamptz not null,
  primary key (project_id, reviewer_id)
);
create index reviews_reviewer on reviews (reviewer_id);
-- Which part of the queue a moderator works through, one project after the other.
create table review_sessions (
  moderator_id id primary key references users on delete cascade,
  filter jsonb not null,
  skipped text[] not null default '{}',
  updated timestamptz not null
);
