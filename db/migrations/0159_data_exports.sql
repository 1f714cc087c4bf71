-- Exports of what is stored about a user; their files lie in storage under a private key and end after a week.
create table data_exports (
  id id primary key,
  user_id id not null references users on delete cascade,
  -- streamed: sent as the answer of a request, without a file
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'streamed')),
  -- of the file, in bytes
  size bigint,
  created timestamptz not null,
  finished timestamptz
);
create index data_exports_user on data_exports (user_id, created desc);
create index data_exports_created on data_exports (created);
