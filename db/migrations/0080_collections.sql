create table collections (
  id id primary key,
  user_id id not null references users on delete cascade,
  name text not null,
  description text,
  status text not null default 'listed' check (status in ('listed', 'unlisted', 'private', 'rejected', 'unknown')),
  icon_key text,
  raw_icon_key text,
  color int,
  created timestamptz not null default now(),
  updated timestamptz not null default now()
);
create index collections_user on collections (user_id);

create table collection_projects (
  collection_id id not null references collections on delete cascade,
  project_id id not null references projects on delete cascade,
  -- in which order they were put in
  place int not null,
  primary key (collection_id, project_id)
);
create index collection_projects_project on collection_projects (project_id);
