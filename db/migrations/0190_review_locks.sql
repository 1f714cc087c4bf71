-- Who reviews which project right now. A lock that ran out stays until the next one takes its place.
create table review_locks (
  project_id id primary key references projects on delete cascade,
  moderator_id id not null references users on delete cascade,
  locked_at timestamptz not null,
  expires_at timestamptz not null
);
create index review_locks_moderator on review_locks (moderator_id);
-- the review queue, oldest first
create index projects_waiting on projects ((coalesce(queued, published)), id) where status = 'processing';
