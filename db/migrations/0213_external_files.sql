-- what a modpack contains: the files that it lists and the archives in its overrides
create table pack_files (
  file_id id not null references files on delete cascade,
  sha1 text not null check (sha1 ~ '^[0-9a-f]{40}$'),
  path text not null,
  primary key (file_id, sha1)
);
create index pack_files_sha1 on pack_files (sha1);

-- works from elsewhere, and whether modpacks may contain them
create table external_projects (
  id id primary key,
  title text,
  status text not null check (status in (
    'yes', 'with-attribution-and-source', 'with-attribution', 'no', 'permanent-no', 'unidentified')),
  link text,
  exceptions text,
  proof text,
  flame_project_id bigint unique,
  inserted_at timestamptz not null,
  inserted_by id references users on delete set null,
  updated_at timestamptz not null,
  updated_by id references users on delete set null
);

-- their files: what was decided once counts for every later pack
create table external_files (
  sha1 text primary key check (sha1 ~ '^[0-9a-f]{40}$'),
  external_project_id id not null references external_projects on delete cascade,
  name text not null
);
create index external_files_project on external_files (external_project_id);
