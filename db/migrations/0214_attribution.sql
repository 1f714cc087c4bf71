-- why a version is kept from the public
alter table versions add column held_for text[] not null default '{}';
update versions set held_for = '{review}' where held is not null;

-- what the team of a modpack says about files in its overrides that come from elsewhere; a group has one answer
create table attribution_groups (
  id id primary key,
  project_id id not null references projects on delete cascade,
  attribution jsonb,
  attributed_at timestamptz,
  attributed_by id references users on delete set null,
  -- what staff decided about the answer
  moderation_status jsonb,
  created timestamptz not null
);
create index attribution_groups_project on attribution_groups (project_id);

create table attribution_files (
  project_id id not null references projects on delete cascade,
  sha1 text not null check (sha1 ~ '^[0-9a-f]{40}$'),
  name text not null,
  group_id id not null references attribution_groups on delete cascade,
  primary key (project_id, sha1)
);
create index attribution_files_group on attribution_files (group_id);

-- versions that were public before this was asked for stay public
alter table file_scans add column asks_attribution boolean not null default true;
update file_scans set asks_attribution = false;
