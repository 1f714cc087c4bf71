-- files of versions that arrive in pieces; their bytes are staged in the storage under the id
create table uploads (
  id id primary key,
  user_id id not null references users on delete cascade,
  project_id id not null references projects on delete cascade,
  filename text not null,
  size bigint not null check (size >= 0),
  -- when bytes arrived last; a day later it is removed
  touched timestamptz not null
);
create index uploads_user on uploads (user_id);
create index uploads_project on uploads (project_id);
create index uploads_touched on uploads (touched);
