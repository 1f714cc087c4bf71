create table game_versions (
  version text collate "C" primary key,
  version_type text not null check (version_type in ('release', 'snapshot', 'beta', 'alpha')),
  date timestamptz not null,
  major boolean not null default false,
  ordering int
);

create table teams (
  id id primary key
);

create table organizations (
  id id primary key,
  slug text collate "C" not null constraint organization_slug_taken unique,
  name text not null,
  team_id id not null references teams,
  description text not null default '',
  icon_key text,
  raw_icon_key text,
  color int,
  created timestamptz not null default now()
);
create index organizations_team on organizations (team_id);

create table team_members (
  team_id id not null references teams on delete cascade,
  user_id id not null references users on delete cascade,
  role text not null default 'Member',
  is_owner boolean not null default false,
  permissions bigint not null default 0,
  organization_permissions bigint,
  accepted boolean not null default false,
  payouts_split numeric not null default 0 check (payouts_split between 0 and 5000),
  ordering bigint not null default 0,
  created timestamptz not null default now(),
  primary key (team_id, user_id)
);
create index team_members_user on team_members (user_id);
create unique index team_one_owner on team_members (team_id) where is_owner;

create table projects (
  id id primary key,
  slug text collate "C" not null,
  team id not null references teams,
  organization id references organizations,
  title text not null,
  description text not null,
  body text not null default '',
  body_html text not null default '',
  body_version int not null default 0,
  published timestamptz not null default now(),
  updated timestamptz not null default now(),
  approved timestamptz,
  queued timestamptz,
  status text not null check (status in ('approved', 'rejected', 'draft', 'unlisted', 'processing', 'withheld', 'scheduled', 'private', 'unknown')),
  requested_status text check (requested_status in ('approved', 'unlisted', 'private', 'draft')),
  -- the archived disclosure: with status approved the API shows `archived`
  archived boolean not null default false,
  moderation_message text,
  moderation_message_body text,
  license_id text not null,
  license_url text,
  downloads bigint not null default 0,
  followers bigint not null default 0,
  categories text[] not null default '{}',
  additional_categories text[] not null default '{}',
  -- folded over the listed and archived versions, kept by versions/write.ts `refold`
  loaders text[] not null default '{}',
  mrpack_loaders text[] not null default '{}',
  game_versions text[] not null default '{}',
  environments text[] not null default '{}',
  project_types text[] not null default '{}',
  client_side text not null default 'unknown',
  server_side text not null default 'unknown',
  icon_key text,
  raw_icon_key text,
  color int,
  issues_url text,
  source_url text,
  wiki_url text,
  discord_url text,
  site_url text,
  store_url text,
  donation_urls jsonb not null default '[]',
  thread_id id not null,
  monetization_status text not null default 'monetized' check (monetization_status in ('monetized', 'demonetized', 'force-demonetized')),
  constraint project_slug_taken unique (slug)
);
create index projects_lower_id on projects (lower(id));
create index projects_team on projects (team);
create index projects_organization on projects (organization) where organization is not null;

-- addresses a project once had: pages redirect until the slug is used again, the API does not
create table old_slugs (
  slug text collate "C" primary key,
  project_id id not null references projects on delete cascade,
  created timestamptz not null default now()
);

create table gallery (
  project_id id not null references projects on delete cascade,
  key text not null,
  raw_key text not null,
  featured boolean not null default false,
  title text,
  description text,
  created timestamptz not null default now(),
  ordering bigint not null default 0,
  primary key (project_id, raw_key)
);

create table versions (
  id id primary key,
  project_id id not null references projects on delete cascade,
  author_id id not null references users,
  featured boolean not null default false,
  name text not null,
  version_number text not null,
  changelog text not null default '',
  changelog_html text not null default '',
  changelog_version int not null default 0,
  date_published timestamptz not null default now(),
  downloads bigint not null default 0,
  version_type text not null check (version_type in ('release', 'beta', 'alpha')),
  status text not null default 'listed' check (status in ('listed', 'archived', 'draft', 'unlisted', 'scheduled', 'unknown')),
  requested_status text,
  -- as stored: a modpack has loaders {mrpack} and its pack loaders in mrpack_loaders
  loaders text[] not null,
  mrpack_loaders text[] not null default '{}',
  game_versions text[] not null,
  environment text not null default 'unknown',
  ordering int
);
create index versions_project on versions (project_id, date_published desc, id);
create index versions_author on versions (author_id);

create table files (
  id id primary key,
  version_id id not null references versions on delete cascade,
  filename text not null,
  is_primary boolean not null default false,
  size bigint not null,
  sha1 text not null,
  sha512 text not null,
  file_type text check (file_type in ('required-resource-pack', 'optional-resource-pack', 'sources-jar', 'dev-jar', 'javadoc-jar', 'signature', 'unknown')),
  created timestamptz not null default now(),
  constraint file_name_repeated unique (version_id, filename),
  constraint file_repeated unique (version_id, sha1)
);
create index files_sha1 on files (sha1);
create index files_sha512 on files (sha512);
create unique index files_one_primary on files (version_id) where is_primary;

create table dependencies (
  id bigint generated always as identity primary key,
  version_id id not null references versions on delete cascade,
  project_id id references projects on delete cascade,
  dependency_version_id id references versions on delete set null,
  file_name text,
  dependency_type text not null check (dependency_type in ('required', 'optional', 'incompatible', 'embedded'))
);
create index dependencies_version on dependencies (version_id);
create index dependencies_project on dependencies (project_id) where project_id is not null;
create index dependencies_target on dependencies (dependency_version_id) where dependency_version_id is not null;

create table follows (
  user_id id not null references users on delete cascade,
  project_id id not null references projects on delete cascade,
  created timestamptz not null default now(),
  primary key (user_id, project_id)
);
create index follows_project on follows (project_id);

-- how often an address (salted hash) was counted for a project within the running six hours
create unlogged table download_windows (
  address text not null,
  project_id text not null,
  counted int not null,
  until timestamptz not null,
  primary key (address, project_id)
);
create index download_windows_until on download_windows (until);
