-- The schema as version 0308 had it: the migrations before it, told once. What came since is in the files after this one.
-- Platform comes first, because every area uses it. Other areas follow in the order in which their tables refer to each other.

create extension if not exists citext;
create extension if not exists pg_trgm;
create extension if not exists intarray;
create extension if not exists unaccent;

-- ids are the API's base62 text, compared byte by byte
create domain id as text collate "C" check (value ~ '^[0-9A-Za-z]{1,11}$');

-- PLATFORM: what every area uses

-- generic cell rate algorithm: one theoretical arrival time a key; losing it in a crash harms nobody
create unlogged table rate_limits (
  key text primary key,
  arrival timestamptz not null
);
create index rate_limits_arrival on rate_limits (arrival);

-- one row per thing that happened, written in the transaction that did it
create table events (
  id bigint generated always as identity primary key,
  xact xid8 not null default pg_current_xact_id(),
  name text not null,
  actor_id id,
  user_id id,
  project_id id,
  version_id id,
  team_id id,
  organization_id id,
  data jsonb not null default '{}',
  created timestamptz not null default now(),
  -- the rest of what an event may be about
  collection_id id,
  server_id id,
  node_id id,
  notice_id id,
  thread_id id,
  report_id id
);
create index events_order on events (xact, id);
create index events_project on events (project_id, id) where project_id is not null;
-- how many decisions were made lately: the estimate of the review queue
create index events_decided on events (created)
  where name = 'project.moved' and data ->> 'from' = 'processing' and data ->> 'to' not in ('processing', 'draft');

-- how far each reader has come; a reader sees only rows below the oldest open transaction
create table event_cursors (
  reader text primary key,
  xact xid8 not null,
  id bigint not null,
  moved timestamptz not null default now()
);

create function events_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('events', '');
  return null;
end $$;
create trigger events_notify after insert on events for each statement execute function events_notify();

-- small facts about this installation, such as that it was seeded; never secrets
create table installation (
  key text primary key,
  value jsonb not null
);

-- keys this installation made for itself, shared by all its processes; never answered, logged or put into pages
create table secrets (
  name text primary key,
  key text not null
);
-- 244 random bits each
insert into secrets (name, key) values
  ('image_proxy', gen_random_uuid()::text || gen_random_uuid()::text),
  -- what the test processor signs with
  ('test_payments', gen_random_uuid()::text || gen_random_uuid()::text),
  ('trial_networks', gen_random_uuid()::text || gen_random_uuid()::text);

-- ACCOUNTS: who people are, how they sign in, and what may act for them

-- What a username looks like, after Unicode UTS #39 (confusables), reduced to what usernames may hold: 0 and O, 1, I and l,
-- rn and m; and beyond it vv and w, and the separators. Names that look alike have the same skeleton.
create function username_skeleton(name text) returns text language sql immutable strict parallel safe
  return replace(replace(lower(translate(name, '01I_.', 'oll--')), 'm', 'rn'), 'w', 'vv');

create table users (
  id id primary key,
  username citext not null,
  email citext,
  email_verified boolean not null default false,
  password_hash text,
  bio text,
  avatar_key text,
  raw_avatar_key text,
  created timestamptz not null default now(),
  role text not null default 'developer' check (role in ('developer', 'moderator', 'admin')),
  badges bigint not null default 0,
  -- how much an account stored on its last day of uploads (UTC), and its own limit where a moderator gave one
  uploaded_day date,
  uploaded_bytes bigint not null default 0,
  upload_limit_bytes bigint check (upload_limit_bytes >= 0),
  allow_friend_requests boolean not null default true,
  -- since when a mail server refuses the address of a user, and what it said: until the address changes, only mails about the
  -- account itself are sent there
  email_refused timestamptz,
  email_answer text,
  skeleton text not null generated always as (username_skeleton(username::text)) stored,
  -- Accounts that moderators keep from signing in: until when (the year 9999 for no end) and why.
  suspended_until timestamptz,
  suspension_reason text check (char_length(suspension_reason) between 1 and 2000),
  constraint username_taken unique (username),
  constraint email_taken unique (email)
);
-- a username may not spell somebody's id
create index users_lower_id on users (lower(id));
-- the search for users by the beginning of their name
create index users_username_prefix on users (lower(username::text) collate "C" text_pattern_ops);
create index users_skeleton on users (skeleton);

-- lucia's table: id is the SHA-256 of the token, public_id is what people see and revoke by
create table sessions (
  id text primary key,
  public_id id not null unique,
  user_id id not null references users on delete cascade,
  expires_at timestamptz not null,
  created timestamptz not null default now(),
  last_used timestamptz not null default now(),
  os text,
  platform text,
  user_agent text,
  -- where a session was opened from, and when its user last proved who they are
  ip text,
  city text,
  country text,
  proved timestamptz not null default now()
);
create index sessions_user on sessions (user_id);

-- browsers that refresh one session several times at once all get the same new one; kept for a minute
create table replaced_sessions (
  -- the hash of the replaced token
  id text primary key,
  user_id id not null references users on delete cascade,
  -- the new token, sealed
  successor text not null,
  expires timestamptz not null
);
create index replaced_sessions_expires on replaced_sessions (expires);
create index replaced_sessions_user on replaced_sessions (user_id);

-- Networks from which a person signed in, as hashes: wrong guesses from elsewhere must not lock them out there.
create table known_networks (
  user_id id not null references users on delete cascade,
  network_hash text not null,
  last_used timestamptz not null,
  primary key (user_id, network_hash)
);

-- What spans more than one request: a sign-in waiting for its second step, a link sent by mail, a provider's answer.
-- Only a hash of the secret is stored, so the table opens nothing.
create table flows (
  secret_hash text primary key,
  kind text not null,
  user_id id references users on delete cascade,
  data jsonb not null default '{}',
  -- wrong answers given to it so far
  failures integer not null default 0,
  created timestamptz not null,
  expires timestamptz not null
);
create index flows_user on flows (user_id, kind) where user_id is not null;
create index flows_expires on flows (expires);

-- What is asked for after the password of a user: a code of an authenticator app, a passkey, or either.
create table two_factor (
  user_id id primary key references users on delete cascade,
  -- of the authenticator app, sealed; null without one
  totp_secret text,
  -- the 30-second step of the last code that was used
  last_step bigint,
  -- whether a passkey is asked for
  passkeys boolean not null default false,
  created timestamptz not null,
  check (totp_secret is not null or passkeys)
);

-- codes for people who lost their second factor, each usable once; salted hashes by argon2
create table backup_codes (
  user_id id not null references two_factor on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

create table passkeys (
  id id primary key,
  user_id id not null references users on delete cascade,
  credential_id text not null,
  public_key bytea not null,
  -- of the authenticator; 0 for those that do not count
  counter bigint not null,
  transports text[] not null,
  -- whether other devices of its owner can have it, and whether they do
  multi_device boolean not null,
  backed_up boolean not null,
  name text not null,
  created timestamptz not null,
  last_used timestamptz,
  constraint passkey_known unique (credential_id)
);
create index passkeys_user on passkeys (user_id);

-- accounts at sign-in providers by which users sign in
create table linked_accounts (
  provider text not null,
  -- the address whose subjects these are: another instance of the same software names other people
  issuer text not null,
  subject text not null,
  user_id id not null references users on delete cascade,
  -- the name there, for its owner
  name text,
  created timestamptz not null,
  last_used timestamptz not null,
  primary key (provider, issuer, subject),
  unique (user_id, provider)
);

create table tokens (
  id id primary key,
  user_id id not null references users on delete cascade,
  name text not null,
  token_hash text not null unique,
  scopes bigint not null,
  created timestamptz not null default now(),
  expires timestamptz not null,
  last_used timestamptz
);
create index tokens_user on tokens (user_id);

-- Apps of other people that sign users in here and act for them (OAuth 2.0).
create table oauth_clients (
  id id primary key,
  name text not null,
  icon_key text,
  raw_icon_key text,
  color integer,
  -- the most that the app may ask for
  max_scopes bigint not null,
  -- null for apps that run on devices of their users and can keep no secret
  secret_hash text,
  url text,
  description text,
  created_by id not null references users on delete cascade,
  created timestamptz not null
);
create index oauth_clients_owner on oauth_clients (created_by, created desc);

create table oauth_redirect_uris (
  id id primary key,
  client_id id not null references oauth_clients on delete cascade,
  uri text not null,
  position integer not null
);
create unique index oauth_redirect_uris_client on oauth_redirect_uris (client_id, uri);

-- what a user lets an app do; revoking it deletes the row and with it the tokens
create table oauth_authorizations (
  id id primary key,
  client_id id not null references oauth_clients on delete cascade,
  user_id id not null references users on delete cascade,
  scopes bigint not null,
  created timestamptz not null
);
create unique index oauth_authorizations_pair on oauth_authorizations (user_id, client_id);
create index oauth_authorizations_client on oauth_authorizations (client_id);

create table oauth_tokens (
  token_hash text primary key,
  authorization_id id not null references oauth_authorizations on delete cascade,
  scopes bigint not null,
  -- of the code it was issued for: a code that is sent again ends it
  code_hash text not null,
  created timestamptz not null,
  expires timestamptz not null,
  last_used timestamptz
);
create index oauth_tokens_authorization on oauth_tokens (authorization_id);
create index oauth_tokens_code on oauth_tokens (code_hash);
-- expired tokens are deleted every few minutes
create index oauth_tokens_expires on oauth_tokens (expires);

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

-- Open connections of launchers, for the status that friends see; losing it in a crash harms nobody.
create unlogged table launcher_connections (
  id uuid primary key,
  user_id id not null references users on delete cascade,
  profile_name text,
  last_update timestamptz not null,
  -- a row whose process ended without closing it grows old
  seen timestamptz not null
);
create index launcher_connections_user on launcher_connections (user_id);
create index launcher_connections_seen on launcher_connections (seen);

create table user_preferences (
  user_id id primary key references users on delete cascade,
  data jsonb not null default '{}'
);

create table friends (
  -- who asked
  user_id id not null references users on delete cascade,
  -- who was asked
  friend_id id not null references users on delete cascade,
  accepted boolean not null default false,
  created timestamptz not null default now(),
  primary key (user_id, friend_id),
  check (user_id <> friend_id)
);
create unique index friends_pair on friends (least(user_id, friend_id), greatest(user_id, friend_id));
create index friends_friend on friends (friend_id);

create table blocks (
  user_id id not null references users on delete cascade,
  blocked_id id not null references users on delete cascade,
  created timestamptz not null default now(),
  primary key (user_id, blocked_id),
  check (user_id <> blocked_id)
);
create index blocks_blocked on blocks (blocked_id);

-- CATALOGUE: projects, versions, files, teams, organizations and collections

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

-- The order in which texts arrived to be saved. Rendering takes its time: a text that arrived earlier and was rendered later must
-- not replace one that arrived after it.
create sequence text_revisions;

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
  status text not null check (status in ('approved', 'rejected', 'draft', 'unlisted', 'processing', 'withheld', 'scheduled',
    'private', 'unknown')),
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
  body_revision bigint not null default 0,
  -- projects that were rejected because their files are malware: the files are not served
  malware boolean not null default false,
  -- when a scheduled project or version gets its requested status
  scheduled_for timestamptz,
  -- Optimistic locking: every change of what members set raises the revision, whoever makes it and by whatever way; per
  -- column the revision that changed it last, so that two people who change different things do not meet.
  revision int not null default 1,
  field_revisions jsonb not null default '{}',
  -- when a member last confirmed where the project runs
  environment_verified timestamptz,
  environment_verified_by id references users on delete set null,
  -- Whether the page of a project shows its downloads of the last 30 days. Sums by day are otherwise for members with a right of
  -- their own, so that nobody's are shown until somebody with that right wants it.
  shows_downloads boolean not null default false,
  constraint project_slug_taken unique (slug)
);
create index projects_lower_id on projects (lower(id));
create index projects_team on projects (team);
create index projects_organization on projects (organization) where organization is not null;
-- texts that an older renderer made are found without reading all of them
create index projects_body_version on projects (body_version) where body <> '';
create index projects_malware on projects (id) where malware;
create index projects_scheduled on projects (scheduled_for) where status = 'scheduled';
-- the review queue, oldest first
create index projects_waiting on projects ((coalesce(queued, published)), id) where status = 'processing';

create function projects_revise() returns trigger language plpgsql as $$
declare
  changed text[] := array_remove(array[
    case when new.title is distinct from old.title then 'title' end,
    case when new.description is distinct from old.description then 'description' end,
    case when new.body is distinct from old.body then 'body' end,
    case when new.slug is distinct from old.slug then 'slug' end,
    case when new.status is distinct from old.status then 'status' end,
    case when new.requested_status is distinct from old.requested_status then 'requested_status' end,
    case when new.archived is distinct from old.archived then 'archived' end,
    case when new.monetization_status is distinct from old.monetization_status then 'monetization_status' end,
    case when new.license_id is distinct from old.license_id then 'license_id' end,
    case when new.license_url is distinct from old.license_url then 'license_url' end,
    case when new.categories is distinct from old.categories then 'categories' end,
    case when new.additional_categories is distinct from old.additional_categories then 'additional_categories' end,
    case when new.environments is distinct from old.environments then 'environments' end,
    case when new.icon_key is distinct from old.icon_key then 'icon_key' end,
    case when new.issues_url is distinct from old.issues_url then 'issues_url' end,
    case when new.source_url is distinct from old.source_url then 'source_url' end,
    case when new.wiki_url is distinct from old.wiki_url then 'wiki_url' end,
    case when new.discord_url is distinct from old.discord_url then 'discord_url' end,
    case when new.site_url is distinct from old.site_url then 'site_url' end,
    case when new.store_url is distinct from old.store_url then 'store_url' end,
    case when new.donation_urls is distinct from old.donation_urls then 'donation_urls' end,
    case when new.shows_downloads is distinct from old.shows_downloads then 'shows_downloads' end
  ], null);
begin
  if changed = '{}' then
    return new;
  end if;
  new.revision := old.revision + 1;
  new.field_revisions := old.field_revisions
    || (select jsonb_object_agg(name, new.revision) from unnest(changed) as name);
  if new.environments is distinct from old.environments then
    new.environment_verified := null;
    new.environment_verified_by := null;
  end if;
  return new;
end $$;
-- `of`: the counters of downloads and followers do not even ask
create trigger projects_revise before update of title, description, body, slug, status, requested_status, archived,
  monetization_status, license_id, license_url, categories, additional_categories, environments, icon_key, issues_url,
  source_url, wiki_url, discord_url, site_url, store_url, donation_urls, shows_downloads
  on projects for each row execute function projects_revise();

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
  -- what a gallery image shows, for people who can't see it
  alt text,
  primary key (project_id, raw_key)
);

-- what a project discloses; the archived disclosure is projects.archived, its note stands here
create table disclosures (
  project_id id not null references projects on delete cascade,
  type text not null,
  data jsonb not null default '{}',
  set_by_moderator boolean not null default false,
  lock_status text not null default 'unlocked' check (lock_status in ('unlocked', 'cannot_disable', 'fully_locked')),
  updated_at timestamptz not null default now(),
  updated_by id references users on delete set null,
  -- removed by its author: members still see it
  deleted_at timestamptz,
  primary key (project_id, type)
);

-- Who reviews which project right now. A lock that ran out stays until the next one takes its place.
create table review_locks (
  project_id id primary key references projects on delete cascade,
  moderator_id id not null references users on delete cascade,
  locked_at timestamptz not null,
  expires_at timestamptz not null
);
create index review_locks_moderator on review_locks (moderator_id);

-- What was reviewed when moderators approved a project last: what changed since is shown to the next reviewer.
create table review_snapshots (
  project_id id primary key references projects on delete cascade,
  fields jsonb not null,
  created timestamptz not null
);

-- What somebody typed into a form of a project's settings that was refused because the project had changed meanwhile:
-- both versions are shown until one is chosen, also to browsers without scripts. One per form and person.
create table refused_edits (
  user_id id not null references users on delete cascade,
  project_id id not null references projects on delete cascade,
  form text not null,
  fields jsonb not null,
  touched text[] not null,
  created timestamptz not null,
  primary key (user_id, project_id, form)
);
create index refused_edits_created on refused_edits (created);
create index refused_edits_project on refused_edits (project_id);

-- projects that a user or an organization shows first on its page, in its order
create table pins (
  user_id id references users on delete cascade,
  organization_id id references organizations on delete cascade,
  project_id id not null references projects on delete cascade,
  place smallint not null,
  check (num_nonnulls(user_id, organization_id) = 1)
);
create unique index pins_user on pins (user_id, project_id) where user_id is not null;
create unique index pins_organization on pins (organization_id, project_id) where organization_id is not null;
create index pins_project on pins (project_id);

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
  ordering int,
  changelog_revision bigint not null default 0,
  scheduled_for timestamptz,
  -- a version that technical review keeps from the public is a draft meanwhile
  held timestamptz,
  held_status text,
  -- why a version is kept from the public
  held_for text[] not null default '{}'
);
create index versions_project on versions (project_id, date_published desc, id);
create index versions_author on versions (author_id);
create index versions_changelog_version on versions (changelog_version) where changelog <> '';
create index versions_scheduled on versions (scheduled_for) where status = 'scheduled';
create index versions_held on versions (held) where held is not null;

create table files (
  id id primary key,
  version_id id not null references versions on delete cascade,
  filename text not null,
  is_primary boolean not null default false,
  size bigint not null,
  sha1 text not null,
  sha512 text not null,
  file_type text check (file_type in ('required-resource-pack', 'optional-resource-pack', 'sources-jar', 'dev-jar',
    'javadoc-jar', 'signature', 'unknown')),
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

-- the loader that a version of a modpack asks for: what `loader.show` knows of versions of loaders
create table modpack_loaders (
  version_id id primary key references versions on delete cascade,
  game_version text not null,
  loader text not null,
  loader_version text not null
);

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

create table follows (
  user_id id not null references users on delete cascade,
  project_id id not null references projects on delete cascade,
  created timestamptz not null default now(),
  -- for this project instead of the choices of its follower; null: as there
  loaders text[],
  game_versions text[],
  -- whether a follower hears nothing of this project; its own loaders and game versions are in the columns beside it
  muted boolean not null default false,
  primary key (user_id, project_id)
);
-- The followers of a project are read in pages, by user.
create index follows_followers on follows (project_id, user_id);

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
  -- what the curator says about a project of the collection, for everybody who sees it
  note text check (char_length(note) between 1 and 200),
  primary key (collection_id, project_id)
);
create index collection_projects_project on collection_projects (project_id);

-- MODERATION: review, malware scan, reports, takedowns and the audit log

create table reports (
  id id primary key,
  report_type text not null,
  item_type text not null check (item_type in ('project', 'version', 'user', 'unknown')),
  project_id id references projects on delete set null,
  version_id id references versions on delete set null,
  user_id id references users on delete set null,
  body text not null,
  reporter id not null references users on delete cascade,
  created timestamptz not null default now(),
  closed boolean not null default false,
  thread_id id not null
);
create index reports_reporter on reports (reporter, created desc);
create index reports_open on reports (created) where not closed;
create index reports_project on reports (project_id) where project_id is not null;
create index reports_version on reports (version_id) where version_id is not null;
create index reports_user on reports (user_id) where user_id is not null;
create index reports_thread on reports (thread_id);

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

-- what moderators note about a user or an organization; version counts the edits
create table moderation_notes (
  user_id id references users on delete cascade,
  organization_id id references organizations on delete cascade,
  notes text not null default '',
  user_rating int not null default 0,
  version int not null default 1,
  last_author id references users on delete set null,
  last_modified timestamptz not null default now(),
  created_at timestamptz not null default now(),
  check (num_nonnulls(user_id, organization_id) = 1)
);
create unique index moderation_notes_user on moderation_notes (user_id) where user_id is not null;
create unique index moderation_notes_organization on moderation_notes (organization_id) where organization_id is not null;

-- projects that the law or an order keeps from being shown, for as long as `ended` is null; ended ones are kept, so that
-- they can be counted and looked up, also when the project is gone
create table takedowns (
  id id primary key,
  project_id id references projects on delete set null,
  project_title text not null,
  kind text not null check (kind in ('copyright', 'trademark', 'privacy', 'order', 'other')),
  reason text not null check (char_length(reason) between 1 and 2000),
  -- of the notice or order, at whoever sent it
  reference text not null default '' check (char_length(reference) <= 200),
  status_before text not null,
  placed timestamptz not null,
  placed_by id references users on delete set null,
  ended timestamptz,
  ended_by id references users on delete set null,
  -- what a member of the project answered
  counter_notice text check (char_length(counter_notice) between 1 and 10000),
  counter_sent timestamptz,
  counter_by id references users on delete set null,
  -- when staff decided against it
  counter_refused timestamptz
);
create unique index takedowns_in_force on takedowns (project_id) where ended is null;
create index takedowns_newest on takedowns (placed desc, id);

-- who did what to which subject when: a copy of the events that people look up, kept longer than the events
create table audit_log (
  event_id bigint primary key,
  at timestamptz not null,
  name text not null,
  actor_id id,
  subject_type text not null,
  subject_id text,
  data jsonb not null default '{}'
);
create index audit_log_at on audit_log (at);
create index audit_log_subject on audit_log (subject_type, subject_id, event_id desc);
create index audit_log_actor on audit_log (actor_id, event_id desc);

-- every version file has to be scanned; its row is inserted with it
create table file_scans (
  file_id id primary key references files on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  -- since when it waits
  requested timestamptz not null,
  -- when it may be taken; moved ahead while it is scanned
  due timestamptz not null,
  attempts int not null default 0,
  problem text,
  scanned timestamptz,
  -- of the rules of its last scan
  rules_version int,
  -- whether the last scan could read everything
  complete boolean,
  -- versions that were public before this was asked for stay public
  asks_attribution boolean not null default true
);
create index file_scans_due on file_scans (due) where state = 'waiting';
create index file_scans_failed on file_scans (requested) where state = 'failed';
create index file_scans_rules on file_scans (rules_version) where state = 'done';

-- what the scan of a file found, or what staff reported about it
create table scan_reports (
  id id primary key,
  file_id id not null unique references files on delete cascade,
  flag_reason text not null check (flag_reason in ('delphi', 'manual')),
  severity text not null check (severity in ('low', 'medium', 'high', 'severe', 'malware')),
  created timestamptz not null,
  -- whether somebody has to look at it
  open boolean not null,
  reviewed timestamptz,
  reviewed_by id references users on delete set null,
  verdict text check (verdict in ('safe', 'unsafe'))
);
create index scan_reports_open on scan_reports (created) where open;

create table scan_issues (
  id id primary key,
  report_id id not null references scan_reports on delete cascade,
  issue_type text not null,
  unique (report_id, issue_type)
);

create table scan_traces (
  id id primary key,
  issue_id id not null references scan_issues on delete cascade,
  -- the same for the same code, in whatever file
  key text not null check (key ~ '^[0-9a-f]{64}$'),
  jar text not null,
  file_path text not null,
  disassembly text not null,
  data jsonb not null,
  severity text not null check (severity in ('low', 'medium', 'high', 'severe', 'malware')),
  verdict text check (verdict in ('safe', 'unsafe')),
  decided timestamptz,
  decided_by id references users on delete set null
);
create index scan_traces_issue on scan_traces (issue_id);
create index scan_traces_key on scan_traces (key);

-- verdicts about the same code everywhere
create table trace_verdicts (
  key text primary key,
  verdict text not null check (verdict in ('safe', 'unsafe')),
  decided timestamptz not null,
  decided_by id references users on delete set null
);

-- files that are malware: what contains them is too
create table known_malware (
  sha512 text primary key check (sha512 ~ '^[0-9a-f]{128}$'),
  added timestamptz not null,
  added_by id references users on delete set null
);

-- creators with a clean record: only a person hides their versions
create table trusted_creators (
  user_id id primary key references users on delete cascade,
  since timestamptz not null,
  -- staff took it away: the rule does not give it back
  taken_away timestamptz,
  taken_away_by id references users on delete set null
);

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

-- HOSTING: game servers and the machines they run on

-- machines that carry game servers: what the operator said of them and what their agent told last
create table nodes (
  id id primary key,
  name text not null unique check (name ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
  region text not null,
  public_address text not null,
  bind_address text not null default '0.0.0.0',
  -- SHA-256 of what its agent shows; the previous one counts until a moment, so that a rotation loses nobody
  secret_hash text,
  previous_secret_hash text,
  previous_secret_until timestamptz,
  join_hash text unique,
  join_expires timestamptz,
  -- who speaks for the node: a newer socket gets a higher lease, everything under an older one is refused
  lease bigint not null default 0,
  lease_holder text,
  boot_id text,
  status text not null default 'new' check (status in ('new', 'online', 'degraded', 'offline')),
  draining boolean not null default false,
  -- what may be given away in all when the operator said so; else what the agent tells of its machine (facts)
  cpu_millis integer check (cpu_millis > 0),
  ram_mb integer check (ram_mb > 0),
  disk_mb integer check (disk_mb > 0),
  overcommit real not null default 1 check (overcommit between 0.1 and 100),
  port_from integer not null default 25600 check (port_from between 1024 and 65535),
  port_to integer not null default 25999 check (port_to between 1024 and 65535 and port_to >= port_from),
  -- agent_version, protocol, docker, disk_mode, kinds ...: shown to staff, decided on by nobody but the kinds
  facts jsonb not null default '{}',
  -- of its range, held by something else on the host
  ports_used integer[] not null default '{}',
  -- how far its events are known: the journal they come from, and the last number of it
  event_stream text,
  event_seq bigint not null default 0,
  last_seen timestamptz,
  created timestamptz not null default now(),
  -- how far the exchange of its agent's secret has come; nodes of which none was asked for have none
  rotation text check (rotation in ('asked', 'told', 'kept', 'unanswered'))
);

create table servers (
  id id primary key,
  owner_id id not null references users on delete restrict,
  order_id id not null unique,
  name text not null check (char_length(name) between 1 and 48),
  kind text not null,
  region text not null,
  plan text not null,
  ram_mb integer not null check (ram_mb > 0),
  cpu_millis integer not null check (cpu_millis > 0),
  swap_mb integer not null default 0 check (swap_mb >= 0),
  disk_mb integer not null check (disk_mb > 0),
  game_version text not null,
  loader text,
  terms_accepted timestamptz not null,
  node_id id references nodes on delete restrict,
  port integer,
  lifecycle text not null default 'unprovisioned' check (lifecycle in
    ('unprovisioned', 'provisioning', 'installing', 'ready', 'suspended', 'upgrading', 'broken', 'deprovisioning')),
  -- why: {reason} of a suspension, {step, error} of what broke, {reason: out_of_stock} while there is no room
  lifecycle_data jsonb not null default '{}',
  -- what is wanted; the whole wish travels under one generation
  power_wanted text not null default 'off' check (power_wanted in ('on', 'off')),
  restart_seq integer not null default 0,
  generation bigint not null default 1,
  -- what the agent saw last, and of which generation
  power text not null default 'stopped' check (power in ('stopped', 'starting', 'running', 'stopping', 'crashed')),
  seen jsonb not null default '{}',
  seen_generation bigint not null default 0,
  seen_at timestamptz,
  created timestamptz not null default now(),
  -- rises with every new size that staff give a server: its agent says which it has acted on
  resize_seq integer not null default 0,
  -- From here on: what a server is made of beside its files. Null is the newest one for its game version. Source: hosting §1b
  loader_version text check (char_length(loader_version) between 1 and 60),
  -- null is the one that suits its game version
  java integer check (java in (8, 11, 17, 21, 25)),
  jvm_flags text[] not null default '{}',
  -- null is three quarters of its memory
  heap_mb integer check (heap_mb >= 256),
  -- A server may stop while nobody plays and start when somebody joins: minutes without a player; null: it never sleeps
  sleep_after_minutes integer check (sleep_after_minutes between 5 and 240),
  -- what pings show meanwhile; empty is the text of the agent
  sleep_motd text not null default '' check (char_length(sleep_motd) <= 201),
  constraint server_port_taken unique (node_id, port),
  check ((node_id is null) = (port is null))
);
create index servers_owner on servers (owner_id, created desc);

-- what was asked of an agent once and must be done at most once; the browser makes the id
create table server_operations (
  id uuid primary key,
  server_id id not null references servers on delete cascade,
  node_id id references nodes on delete cascade,
  actor_id id,
  kind text not null,
  args jsonb not null default '{}',
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'done', 'failed', 'interrupted', 'expired')),
  not_after timestamptz not null,
  result jsonb,
  created timestamptz not null default now(),
  ended timestamptz,
  -- how far an operation is: {done, total}; the trigger of the table notifies all planes
  progress jsonb
);
create index server_operations_open on server_operations (node_id) where ended is null;
create index server_operations_server on server_operations (server_id, created desc);

-- what agents reported, each once: acknowledged only after this row is committed
create table agent_events (
  node_id id not null references nodes on delete cascade,
  stream_id text not null,
  seq bigint not null,
  server_id text,
  type text not null,
  at timestamptz not null,
  data jsonb not null default '{}',
  received timestamptz not null default now(),
  primary key (node_id, stream_id, seq)
);
create index agent_events_server on agent_events (server_id, received desc);
create index agent_events_received on agent_events (received);

create table server_notices (
  id id primary key,
  level text not null check (level in ('info', 'warn', 'critical', 'survey')),
  title text not null check (char_length(title) between 1 and 120),
  message text not null default '' check (char_length(message) <= 2000),
  url text,
  begins timestamptz not null,
  expires timestamptz,
  dismissable boolean not null default true,
  created_by id,
  created timestamptz not null default now(),
  check (expires is null or expires > begins)
);

-- whom a notice is for; without a row it is for all
create table server_notice_targets (
  notice_id id not null references server_notices on delete cascade,
  node_id id references nodes on delete cascade,
  server_id id references servers on delete cascade,
  check ((node_id is null) <> (server_id is null))
);
create index server_notice_targets_notice on server_notice_targets (notice_id);

create table server_notice_dismissals (
  notice_id id not null references server_notices on delete cascade,
  user_id id not null references users on delete cascade,
  dismissed timestamptz not null default now(),
  primary key (notice_id, user_id)
);

-- Every control plane listens on the channel `hosting` and looks again at what is named: `server:ID`, `node:ID`,
-- `op:ID`, `notices`, `rights`. Whoever writes need not know who is connected where.
create function hosting_notify() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'servers' then
    perform pg_notify('hosting', 'server:' || coalesce(new.id, old.id));
  elsif tg_table_name = 'nodes' then
    perform pg_notify('hosting', 'node:' || coalesce(new.id, old.id));
  elsif tg_table_name = 'server_operations' then
    perform pg_notify('hosting', 'op:' || new.id);
  else
    perform pg_notify('hosting', tg_argv[0]);
  end if;
  return null;
end $$;
create trigger servers_told after insert or update or delete on servers
  for each row execute function hosting_notify();
-- not for heartbeats, which only say that nothing happened
create trigger nodes_told after insert or delete or update of name, region, public_address, bind_address, secret_hash,
    previous_secret_hash, lease, status, draining, overcommit, port_from, port_to, cpu_millis, ram_mb, disk_mb on nodes
  for each row execute function hosting_notify();
create trigger operations_told after insert or update on server_operations
  for each row execute function hosting_notify();
create trigger notices_told after insert or update or delete on server_notices
  for each statement execute function hosting_notify('notices');
create trigger notice_targets_told after insert or update or delete on server_notice_targets
  for each statement execute function hosting_notify('notices');
create trigger dismissals_told after insert or delete on server_notice_dismissals
  for each statement execute function hosting_notify('notices');
-- rights end here, whoever ends them: people leave rooms within a second
create trigger sessions_told after delete on sessions
  for each statement execute function hosting_notify('rights');
create trigger tokens_told after delete or update of scopes, expires on tokens
  for each statement execute function hosting_notify('rights');
create trigger roles_told after update of role on users
  for each statement execute function hosting_notify('rights');
-- whoever speaks for the node is told when one is asked for
create trigger node_rotation_told after update of rotation on nodes
  for each row when (new.rotation = 'asked') execute function hosting_notify();

-- control planes that run now. Unlogged: after a crash of Postgres each of them comes back with its next heartbeat
create unlogged table planes (
  -- of one process, made at its start; it is the holder of leases of nodes
  id text primary key,
  -- where the other planes reach it: unix:/path or http://host:port
  address text not null,
  -- the machine it runs on
  host text not null,
  release text not null,
  -- versions of the link between planes that it speaks, oldest and newest
  protocol_min integer not null,
  protocol_max integer not null check (protocol_max >= protocol_min),
  -- agents connected to it, and viewers of consoles
  agents integer not null default 0,
  viewers integer not null default 0,
  -- by the clock of this database, never by that of a plane
  started timestamptz not null default now(),
  last_seen timestamptz not null default now()
);

create table server_tickets (
  hash text primary key,
  -- archive: all files; file: one as it is; paths: an archive of some; backup; export: many requests until it expires, so that a
  -- download that is cut off goes on; upload: many requests until it is placed
  kind text not null check (kind in ('archive', 'file', 'paths', 'backup', 'export', 'upload')),
  server_id id not null references servers on delete cascade,
  user_id id not null references users on delete cascade,
  -- of the session or token that it was requested with: when that ends, the ticket does
  token_hash text,
  args jsonb not null default '{}',
  expires timestamptz not null,
  used timestamptz,
  -- an upload has one ticket, and takes bytes of one request at a time: of the holder, until it stops renewing that
  upload_id uuid unique,
  holder text,
  held_until timestamptz,
  check ((kind = 'upload') = (upload_id is not null))
);
create index server_tickets_expires on server_tickets (expires);
create index server_tickets_server on server_tickets (server_id);

-- addresses that agents send to or fetch from, once: the plane with the other end of the stream waits for them
create table server_transfers (
  hash text primary key,
  server_id id not null references servers on delete cascade,
  -- without a reference: planes are unlogged, and a dead one is answered `plane_away`
  plane_id text not null,
  direction text not null check (direction in ('to', 'from')),
  expires timestamptz not null,
  used timestamptz
);
create index server_transfers_expires on server_transfers (expires);
create index server_transfers_server on server_transfers (server_id);

-- backups of the files of servers; the bytes are at their target. Source: hosting §5.6
create table server_backups (
  id id primary key,
  server_id id not null references servers on delete cascade,
  name text not null check (char_length(name) between 1 and 48),
  state text not null default 'queued' check (state in ('queued', 'creating', 'done', 'unchanged', 'failed', 'cancelled',
    'restoring', 'preparing', 'verifying', 'deleting', 'damaged')),
  -- its state when nothing is in progress on it: what an action that ends returns to
  rest text check (rest in ('done', 'unchanged', 'damaged')),
  reason text not null,
  locked boolean not null default false,
  actor_id id,
  -- the operation in progress, and the latest one, whose result may come after it was given up
  op_id uuid,
  last_op_id uuid,
  cancelling boolean not null default false,
  -- why the last action on it failed: {code, retryable, data}
  error jsonb,
  created timestamptz not null,
  ended timestamptz,
  bytes bigint,
  content_bytes bigint,
  files bigint,
  sha256 text,
  changed jsonb not null default '[]',
  changed_count bigint not null default 0,
  game_version text not null,
  loader text,
  engine text not null check (engine in ('archive', 'restic')),
  target text not null check (target in ('node', 'platform', 's3')),
  verified timestamptz,
  -- which S3 store a backup is in, as its agent names it: other agents may have the same one
  store text,
  check (rest is not null or state in ('queued', 'creating', 'failed', 'cancelled')),
  -- an export is a backup that is made to be taken away; what is known of its server stands before its archive
  constraint server_backups_reason_check check (reason in ('user', 'schedule', 'safety', 'export'))
);
create unique index backup_name_taken on server_backups (server_id, lower(name));
create index server_backups_created on server_backups (server_id, created desc);
create index server_backups_operation on server_backups (last_op_id);

-- restores in steps, each stored before it begins: any control plane goes on with them
create table server_restores (
  -- of the operation that replaces the files
  op_id uuid primary key,
  backup_id id not null references server_backups on delete cascade,
  -- the server whose files are replaced
  server_id id not null references servers on delete cascade,
  actor_id id,
  step text not null check (step in ('stopping', 'safety', 'restoring', 'done', 'failed', 'cancelled')),
  safety boolean not null,
  safety_backup_id id references server_backups on delete set null,
  -- it ran, and is started again at the end
  starts boolean not null,
  -- until then it must have stopped
  stops_until timestamptz not null,
  created timestamptz not null,
  ended timestamptz
);
create unique index server_restores_server on server_restores (server_id) where ended is null;
create unique index server_restores_backup on server_restores (backup_id) where ended is null;

-- when backups are made by themselves, and which of these stay
create table server_backup_rules (
  server_id id primary key references servers on delete cascade,
  every_hours integer check (every_hours between 1 and 168),
  last integer not null check (last between 1 and 15),
  hourly integer not null check (hourly between 0 and 15),
  daily integer not null check (daily between 0 and 15),
  weekly integer not null check (weekly between 0 and 15),
  due timestamptz,
  check ((every_hours is null) = (due is null))
);
create index server_backup_rules_due on server_backup_rules (due) where due is not null;

-- Every control plane hears `backups:SERVER_ID` on the channel `hosting` when backups of the server changed, or when they
-- have to go on: an operation on them moved or ended, or a server that is to be restored has stopped.
create function backups_notify() returns trigger language plpgsql as $$
declare
  of_server text;
begin
  if tg_table_name = 'server_backups' then
    perform pg_notify('hosting', 'backups:' || coalesce(new.server_id, old.server_id));
  elsif tg_table_name = 'server_restores' then
    select server_id into of_server from server_backups where id = coalesce(new.backup_id, old.backup_id);
    if of_server is not null then perform pg_notify('hosting', 'backups:' || of_server); end if;
  elsif tg_table_name = 'server_operations' then
    select server_id into of_server from server_backups where last_op_id = new.id;
    if of_server is not null then perform pg_notify('hosting', 'backups:' || of_server); end if;
  elsif exists (select 1 from server_restores where server_id = new.id and ended is null) then
    perform pg_notify('hosting', 'backups:' || new.id);
  end if;
  return null;
end $$;
create trigger backups_told after insert or update or delete on server_backups
  for each row execute function backups_notify();
create trigger restores_told after insert or update or delete on server_restores
  for each row execute function backups_notify();
create trigger backup_operations_told after update on server_operations
  for each row when (new.kind like 'backup\_%') execute function backups_notify();
create trigger restored_servers_told after update of power, lifecycle on servers
  for each row when (new.power <> old.power or new.lifecycle <> old.lifecycle) execute function backups_notify();

-- how a person signs in to the files of a server by SFTP: with a password, made here and shown once, and with keys
create table sftp_passwords (
  user_id id not null references users on delete cascade,
  server_id id not null references servers on delete cascade,
  password_hash text not null,
  created timestamptz not null default now(),
  last_used timestamptz,
  primary key (user_id, server_id)
);
create index sftp_passwords_server on sftp_passwords (server_id);
-- whoever signed in with them loses the connection within a second
create trigger sftp_passwords_told after delete or update of password_hash on sftp_passwords
  for each statement execute function hosting_notify('rights');

create table sftp_keys (
  id id primary key,
  user_id id not null references users on delete cascade,
  server_id id not null references servers on delete cascade,
  name text not null check (name <> ''),
  -- as in authorized_keys, without options and comment
  public_key text not null,
  -- as ssh-keygen -l prints it: SHA256:...
  fingerprint text not null,
  created timestamptz not null default now(),
  last_used timestamptz,
  constraint sftp_key_taken unique (user_id, server_id, fingerprint)
);
create index sftp_keys_server on sftp_keys (server_id);
create trigger sftp_keys_told after delete on sftp_keys
  for each statement execute function hosting_notify('rights');

-- files of backups on their way between agents and the storage; each address works once, at any control plane
create table backup_transfers (
  hash text primary key,
  -- the staged file that what an agent sends waits in until the agent has said that it sent exactly this
  staged text not null unique,
  -- without references: what a killed plane has staged is found by this row
  server_id id not null,
  backup_id id not null,
  name text not null,
  direction text not null check (direction in ('to', 'from')),
  max_bytes bigint not null,
  expires timestamptz not null,
  used timestamptz,
  bytes bigint,
  sha256 text,
  committed boolean not null default false
);
create index backup_transfers_expires on backup_transfers (expires);
create index backup_transfers_server on backup_transfers (server_id);

-- stored files whose backup is gone: they are removed, again and again until that worked
create table backup_remains (
  backup_id id primary key,
  server_id id not null,
  target text not null check (target in ('platform', 's3')),
  engine text not null,
  store text,
  next_try timestamptz not null default now()
);
create index backup_remains_next on backup_remains (next_try);

-- Every backup at the platform that is deleted, for whatever reason, leaves its name, because control planes remove its
-- files. One in a store does when it went with its server: otherwise its agent has removed it before.
create function backup_left() returns trigger language plpgsql as $$
begin
  if old.target = 'platform' or not exists (select 1 from servers where id = old.server_id) then
    insert into backup_remains (backup_id, server_id, target, engine, store)
    values (old.id, old.server_id, old.target, old.engine, old.store) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger backup_remains_left after delete on server_backups
  for each row when (old.target = 'platform' or (old.target = 's3' and old.store is not null))
  execute function backup_left();

-- passwords of restic repositories, sealed with the key of the installation: a node that is lost must not take them along
create table backup_passwords (
  server_id id primary key references servers on delete cascade,
  sealed text not null
);

-- changes of content and loader in steps, each stored before it begins: any control plane goes on with them
create table server_changes (
  -- of the request; the operation that changes files has it too
  id uuid primary key,
  server_id id not null references servers on delete cascade,
  actor_id id,
  kind text not null check (kind in ('install', 'update', 'remove', 'toggle', 'modpack', 'loader', 'undo')),
  step text not null check (step in ('stopping', 'safety', 'erasing', 'applying', 'starting', 'done', 'failed', 'cancelled',
    'undone')),
  -- first 20 of {title, from, to}, and how many there are
  items jsonb not null default '[]',
  count integer not null default 0,
  -- what it changes: `ChangeWork` of db/hosting/servers/content/change-work.ts; without the files once it has ended
  wanted jsonb not null,
  -- what the server was before, for taking it back: `Before` of db/hosting/servers/content/change-work.ts
  before jsonb not null,
  safety_backup_id id references server_backups on delete set null,
  -- it ran, and is started again at the end
  starts boolean not null default false,
  -- a step that only waits for the process ends then
  step_until timestamptz not null,
  cancelling boolean not null default false,
  -- the operation that moved all files into the trash
  erase_op_id uuid,
  -- the operation that brings them back after a failure
  revert_op_id uuid,
  -- the change that this one takes back, and the one that took this one back
  undoes uuid,
  undone_by uuid,
  -- its first start afterwards
  first_start text check (first_start in ('begun', 'ok', 'failed')),
  -- {code, retryable, data}
  error jsonb,
  created timestamptz not null,
  ended timestamptz
);
create unique index server_changes_open on server_changes (server_id) where ended is null;
create index server_changes_server on server_changes (server_id, created desc);

-- the modpack that a server has, with the files it brought: path -> sha512
create table server_packs (
  server_id id primary key references servers on delete cascade,
  project_id id not null,
  version_id id not null,
  files jsonb not null,
  installed timestamptz not null,
  change_id uuid
);

-- what an agent may fetch for a change, until it ends: `files` maps sha512 to keys of the storage
create table server_content_grants (
  hash text primary key,
  server_id id not null references servers on delete cascade,
  change_id uuid not null,
  files jsonb not null,
  expires timestamptz not null
);
create index server_content_grants_expires on server_content_grants (expires);

-- Every control plane hears `changes:SERVER_ID` on the channel `hosting` when changes have to go on or are shown anew.
create function server_changes_notify() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'server_changes' then
    perform pg_notify('hosting', 'changes:' || coalesce(new.server_id, old.server_id));
  elsif tg_table_name = 'servers' then
    if exists (select 1 from server_changes where server_id = new.id and ended is null) then
      perform pg_notify('hosting', 'changes:' || new.id);
    end if;
  elsif exists (select 1 from server_changes where server_id = new.server_id and ended is null) then
    perform pg_notify('hosting', 'changes:' || new.server_id);
  end if;
  return null;
end $$;
create trigger changes_told after insert or update or delete on server_changes
  for each row execute function server_changes_notify();
create trigger changed_backups_told after update of state on server_backups
  for each row when (new.state <> old.state) execute function server_changes_notify();
create trigger changed_operations_told after update on server_operations
  for each row when (new.kind like 'content\_%' or new.kind in ('file_erase', 'file_unerase')) execute function server_changes_notify();
create trigger changed_servers_told after update of power, lifecycle on servers
  for each row when (new.power <> old.power or new.lifecycle <> old.lifecycle) execute function server_changes_notify();

-- the name of a server below SERVERS_DOMAIN.
create table server_subdomains (
  server_id id primary key references servers on delete cascade,
  -- as db/hosting/servers/names/rules.ts allows
  name text not null constraint subdomain_taken unique check (name ~ '^[a-z0-9][a-z0-9-]{3,30}[a-z0-9]$'),
  created timestamptz not null default now()
);

-- panels show the new address within a second
create function server_subdomains_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('hosting', 'server:' || coalesce(new.server_id, old.server_id));
  return null;
end $$;
create trigger server_subdomains_told after insert or update or delete on server_subdomains
  for each row execute function server_subdomains_notify();

-- ports of nodes and the server each belongs to: that of the game (without a name), and extra ones
create table server_ports (
  node_id id not null references nodes on delete cascade,
  port integer not null check (port between 1 and 65535),
  server_id id not null references servers on delete cascade,
  -- null is the port of the game, which a trigger keeps
  name text check (char_length(name) between 1 and 32),
  created timestamptz not null default now(),
  -- removed while its server ran, with this generation: its process has the port until it ends
  removed_generation bigint check (removed_generation is null or name is not null),
  primary key (node_id, port)
);
create index server_ports_server on server_ports (server_id);
create unique index server_ports_game on server_ports (server_id) where name is null;
create unique index server_ports_name on server_ports (server_id, lower(name)) where removed_generation is null;

-- a domain of a renter that leads players to a server
create table server_domains (
  server_id id primary key references servers on delete cascade,
  -- in punycode
  domain text not null constraint server_domain_taken unique check (char_length(domain) between 3 and 237),
  state text not null default 'pending' check (state in ('pending', 'verified', 'wrong')),
  -- `DomainFindings` of db/hosting/servers/network/rules.ts: what the last check found
  found jsonb not null default '{"problem": null, "records": []}',
  -- since when it is verified, or is not: hourly checks end a week later
  since timestamptz not null,
  checked timestamptz,
  -- when a user asked for a check last
  asked timestamptz,
  -- null: only when a user asks
  next_check timestamptz,
  created timestamptz not null
);
create index server_domains_due on server_domains (next_check);

create function server_game_port() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (old.node_id, old.port) is not distinct from (new.node_id, new.port) then
      return null;
    end if;
    delete from server_ports where server_id = new.id and (name is null or node_id is distinct from new.node_id);
  end if;
  if new.port is not null then
    insert into server_ports (node_id, port, server_id) values (new.node_id, new.port, new.id);
    -- its records have to name another port from now on
    update server_domains set next_check = 'epoch' where server_id = new.id;
  end if;
  return null;
end $$;

-- a domain is part of what panels show of its server
create function server_domains_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('hosting', 'server:' || coalesce(new.server_id, old.server_id));
  return null;
end $$;
create trigger servers_game_port after insert or update of node_id, port on servers
  for each row execute function server_game_port();
create trigger server_domains_told after insert or delete or update of domain, state, found on server_domains
  for each row execute function server_domains_notify();

-- people on a server beside its owner, and invitations that were not accepted yet
create table server_members (
  server_id id not null references servers on delete cascade,
  user_id id not null references users on delete cascade,
  role text not null check (role in ('editor', 'viewer')),
  -- of db/hosting/servers/rights/rules.ts
  rights text[] not null,
  invited_by id references users on delete set null,
  created timestamptz not null default now(),
  -- null until the person accepts
  accepted timestamptz,
  -- when an invitation was sent last: it can be sent again after a while
  sent timestamptz not null default now(),
  primary key (server_id, user_id)
);
create index server_members_user on server_members (user_id);
-- a right that is taken away ends open connections within a second
create trigger server_members_told after insert or update or delete on server_members
  for each statement execute function hosting_notify('rights');

-- what a server does by itself at times of a cron expression.
create table server_schedules (
  id id primary key,
  server_id id not null references servers on delete cascade,
  -- who saved it: its runs have the rights of this person
  actor_id id references users on delete set null,
  name text not null,
  cron text not null,
  -- of the IANA database
  timezone text not null,
  enabled boolean not null,
  only_when_empty boolean not null,
  only_when_running boolean not null,
  on_failure text not null check (on_failure in ('stop', 'continue')),
  -- of db/hosting/servers/schedules/view.ts
  steps jsonb not null,
  -- null while it is off
  next_run timestamptz,
  -- {code, data}: why its newest run could not begin at all
  broken jsonb,
  revision integer not null default 1,
  created timestamptz not null
);
create unique index server_schedules_name on server_schedules (server_id, lower(name));
create index server_schedules_due on server_schedules (next_run) where next_run is not null;

-- runs of a schedule in steps, each stored before it begins: any control plane goes on with them
create table server_schedule_runs (
  id uuid primary key,
  schedule_id id not null references server_schedules on delete cascade,
  server_id id not null references servers on delete cascade,
  trigger text not null check (trigger in ('time', 'hand')),
  -- who asked for it by hand
  asked_by id references users on delete set null,
  -- first and last of those that this row stands for: only runs that did not take place are counted together
  due timestamptz not null,
  last_due timestamptz not null,
  count integer not null default 1,
  outcome text not null check (outcome in ('running', 'done', 'failed', 'skipped', 'missed')),
  -- {code, data}
  reason jsonb,
  -- as they were when it began
  steps jsonb not null,
  -- {state, code, data, began, ended} of each step, and what its end is known by
  results jsonb not null,
  -- when something has to be looked at even if nothing is heard
  wake timestamptz,
  began timestamptz not null,
  ended timestamptz
);
create index server_schedule_runs_newest on server_schedule_runs (schedule_id, began desc);
create index server_schedule_runs_open on server_schedule_runs (server_id) where ended is null;
-- one run at a time, and each due time once
create unique index server_schedule_runs_one on server_schedule_runs (schedule_id) where ended is null;
create unique index server_schedule_runs_due on server_schedule_runs (schedule_id, last_due) where trigger = 'time';

-- Every control plane hears `schedules:SERVER_ID` on the channel `hosting` when runs have to go on or are shown anew.
create function server_schedules_notify() returns trigger language plpgsql as $$
declare
  of_server text;
begin
  if tg_table_name = 'servers' then
    of_server := new.id;
  else
    of_server := coalesce(new.server_id, old.server_id);
  end if;
  if tg_table_name in ('server_schedules', 'server_schedule_runs')
    or exists (select 1 from server_schedule_runs where server_id = of_server and ended is null) then
    perform pg_notify('hosting', 'schedules:' || of_server);
  end if;
  return null;
end $$;
create trigger schedules_told after insert or update or delete on server_schedules
  for each row execute function server_schedules_notify();
-- not for `wake` alone, which changes nothing that is shown
create trigger schedule_runs_told after insert or delete or update of results, outcome, count on server_schedule_runs
  for each row execute function server_schedules_notify();
create trigger scheduled_backups_told after update of state on server_backups
  for each row when (new.state <> old.state) execute function server_schedules_notify();
create trigger scheduled_changes_told after update of step on server_changes
  for each row when (new.step <> old.step) execute function server_schedules_notify();
create trigger scheduled_power_told after update of power, lifecycle, seen on servers
  for each row when (new.power <> old.power or new.lifecycle <> old.lifecycle
    or new.seen->>'epoch' is distinct from old.seen->>'epoch') execute function server_schedules_notify();

-- what running game servers used in each minute; the plane with the agent writes all of a minute in one statement.
-- Old minutes go by emptying a whole partition: `slot` is the day since 1970 modulo 3
create table server_minutes (
  at timestamptz not null,
  -- of one core: 150 is one and a half; the mean, and the highest sample
  cpu real not null,
  cpu_most real not null,
  ram_mb real not null,
  disk_mb real not null,
  -- bytes a second
  received real not null,
  sent real not null,
  -- null where the server does not tell it
  tick_ms real,
  -- the highest count; null while it was not known
  players smallint,
  -- how many samples it is made of: a minute that two planes measured is the mean of both
  samples smallint not null,
  slot smallint not null,
  -- without a reference: one server that is deleted must not keep the minute of all others from being written
  server_id id not null,
  primary key (server_id, at, slot)
) partition by list (slot);
create table server_minutes_0 partition of server_minutes for values in (0);
create table server_minutes_1 partition of server_minutes for values in (1);
create table server_minutes_2 partition of server_minutes for values in (2);

-- what a server used in an hour, as six ten-minutes in one value (db/hosting/servers/figures/pack.ts)
create table server_hours (
  -- hours since 1970
  hour integer not null,
  server_id id not null references servers on delete cascade,
  ten_minutes bytea not null,
  primary key (server_id, hour)
);

-- how far minutes were rolled up
create table server_figures_rolled (
  only_one boolean primary key default true check (only_one),
  until timestamptz not null
);

-- what a renter chose about alerts; without a row everything is as in db/hosting/server-alerts/rules.ts
create table server_alert_settings (
  server_id id primary key references servers on delete cascade,
  -- kind -> {enabled, over, minutes}, as far as it was chosen
  rules jsonb not null default '{}',
  -- mails wait between these minutes of the day
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  quiet_zone text,
  check (num_nulls(quiet_from, quiet_until, quiet_zone) in (0, 3))
);

create table server_alerts (
  id id primary key,
  server_id id not null references servers on delete cascade,
  kind text not null,
  -- what was measured, and the bound it crossed; null where nothing is measured
  value real,
  bound real,
  began timestamptz not null,
  ended timestamptz,
  -- whether people were told: not when it comes and goes all day
  told boolean not null
);
-- one for each rule until it ends, however many planes look
create unique index server_alerts_open on server_alerts (server_id, kind) where ended is null;
create index server_alerts_server on server_alerts (server_id, began desc);

-- logs of servers under an address that nobody can guess, without secrets, until their end
create table shared_logs (
  id text primary key check (length(id) = 24),
  server_id id not null references servers on delete cascade,
  -- who shared it
  user_id id references users on delete set null,
  -- path of its file; '' is the console
  name text not null check (length(name) <= 1024),
  text text not null,
  bytes int not null,
  -- of db/hosting/servers/crashes, when it was shared
  findings jsonb not null,
  created timestamptz not null default now(),
  expires timestamptz not null
);
create index shared_logs_server on shared_logs (server_id, created desc);
create index shared_logs_user on shared_logs (user_id);
create index shared_logs_expires on shared_logs (expires);

-- moves of servers to other nodes in steps, each stored before it begins: any control plane goes on with them
create table server_moves (
  -- of the request: the same one twice is one move
  id uuid primary key,
  server_id id not null references servers on delete cascade,
  actor_id id,
  -- `lost`: its node will not come back, its newest backup elsewhere is used
  reason text not null check (reason in ('staff', 'drain', 'lost')),
  step text not null check (step in ('queued', 'stopping', 'saving', 'placing', 'installing', 'restoring', 'done', 'failed',
    'cancelled')),
  from_node id references nodes on delete set null,
  from_port integer,
  -- the node that was asked for, then the one that was chosen
  to_node id references nodes on delete set null,
  backup_id id references server_backups on delete set null,
  -- the operation that replaces the files
  restore_id uuid,
  -- names of the ports that it has beside that of the game: it gets as many on the other node
  port_names text[] not null default '{}',
  -- it ran, and is started again at the end
  starts boolean not null default false,
  -- a step that only waits ends then
  step_until timestamptz not null,
  -- {code, retryable}
  error jsonb,
  created timestamptz not null,
  ended timestamptz
);
create unique index server_moves_open on server_moves (server_id) where ended is null;
create index server_moves_from on server_moves (from_node) where ended is null;
create index server_moves_server on server_moves (server_id, created desc);

-- nodes that have files of a server which is on another one: kept until its move has ended, then removed
create table server_copies (
  server_id id not null references servers on delete cascade,
  node_id id not null references nodes on delete cascade,
  port integer not null,
  -- what the agent there knows: it gets nothing newer
  generation bigint not null,
  -- its other ports there, as [{port, name}]: they are its own again when it goes back
  extra_ports jsonb not null default '[]',
  kept boolean not null,
  primary key (server_id, node_id)
);
create index server_copies_node on server_copies (node_id);

-- Every control plane hears `moves:SERVER_ID` on the channel `hosting` when a move has to go on.
create function server_moves_notify() returns trigger language plpgsql as $$
declare
  of_server text;
begin
  if tg_table_name = 'server_copies' then
    perform pg_notify('hosting', 'server:' || coalesce(new.server_id, old.server_id));
    return null;
  elsif tg_table_name = 'server_moves' then
    of_server := coalesce(new.server_id, old.server_id);
    perform pg_notify('hosting', 'server:' || of_server);
  elsif tg_table_name = 'servers' then
    of_server := new.id;
  else
    of_server := new.server_id;
  end if;
  if exists (select 1 from server_moves where server_id = of_server and ended is null) then
    perform pg_notify('hosting', 'moves:' || of_server);
  end if;
  return null;
end $$;
create trigger moves_told after insert or update or delete on server_moves
  for each row execute function server_moves_notify();
create trigger copies_told after insert or update or delete on server_copies
  for each row execute function server_moves_notify();
create trigger moved_servers_told after update of power, lifecycle, seen on servers
  for each row when (new.power <> old.power or new.lifecycle <> old.lifecycle or new.seen <> old.seen)
  execute function server_moves_notify();
create trigger moved_backups_told after update of state on server_backups
  for each row when (new.state <> old.state) execute function server_moves_notify();
create trigger moved_restores_told after update of ended on server_restores
  for each row when (new.ended is not null) execute function server_moves_notify();

create table server_exports (
  backup_id id primary key references server_backups on delete cascade,
  -- compressed: the same bytes for every part of the download
  head bytea not null
);

-- the picture of a server as its panel read it last: lists and headers show it without asking the node.
create table server_icons (
  server_id id primary key references servers on delete cascade,
  -- as db/hosting/servers/icon/rules.ts allows
  png bytea not null check (length(png) <= 24576),
  -- changes with the picture, so that its address does
  hash text not null
);
-- panels show the new picture within a second
create trigger server_icons_told after insert or update or delete on server_icons
  for each row execute function server_subdomains_notify();

-- MONEY: orders, payments, the ledger, revenue, payouts and ads

-- how a person pays: what the processor calls it, and what may be shown of it; numbers are never kept
create table payment_methods (
  id id primary key,
  user_id id not null references users on delete restrict,
  processor text not null,
  reference text not null,
  brand text not null,
  last_four text not null check (last_four ~ '^[0-9]{4}$'),
  expires_month integer not null check (expires_month between 1 and 12),
  expires_year integer not null,
  created timestamptz not null,
  -- a method that its owner removed stays for the charges that were made with it; the primary one pays for all subscriptions
  removed timestamptz,
  is_primary boolean not null default false check (not is_primary or removed is null),
  -- What the processor calls the number of a card, the same whenever it is entered; null where it names none. A card that is
  -- entered again is the same method: it gets the new reference, and the earlier ones are forgotten at the processor with it.
  fingerprint text,
  superseded text[] not null default '{}',
  unique (user_id, processor, reference, expires_month, expires_year)
);
create unique index payment_methods_primary on payment_methods (user_id, processor) where is_primary;
create index payment_methods_fingerprint on payment_methods (user_id, processor, fingerprint) where fingerprint is not null;

-- the customer that a user is at a payment processor: methods belong to it there
create table payment_customers (
  user_id id not null references users on delete cascade,
  processor text not null,
  reference text not null,
  created timestamptz not null,
  primary key (user_id, processor)
);

-- customers whose account is gone: the processor is told until it has forgotten them
create table forgotten_customers (
  processor text not null,
  reference text not null,
  since timestamptz not null,
  primary key (processor, reference)
);

-- what was ordered, once for each op_id; the server gets the id made here
create table orders (
  id id primary key,
  op_id uuid not null unique,
  user_id id not null references users on delete restrict,
  server_id id not null unique,
  state text not null check (state in ('pending', 'paid', 'failed', 'refunded')),
  name text not null check (char_length(name) between 1 and 48),
  kind text not null,
  game_version text not null,
  loader text,
  region text not null,
  plan text not null,
  ram_mb integer not null check (ram_mb > 0),
  cpu_millis integer not null check (cpu_millis > 0),
  swap_mb integer not null check (swap_mb >= 0),
  disk_mb integer not null check (disk_mb > 0),
  term text not null check (term in ('monthly', 'quarterly', 'yearly', 'trial')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  price_minor bigint not null check (price_minor >= 0),
  terms_accepted timestamptz not null,
  created timestamptz not null,
  -- whether a server starts by itself once it is installed: one ordered on the site does, one of a program stays off
  starts boolean not null default false
);
create index orders_user on orders (user_id, created desc);
-- what is not placed yet counts as taken
create index orders_region on orders (region) where state in ('pending', 'paid');
-- one trial per account, but the Ghost user keeps the orders of all deleted accounts
create unique index trial_used on orders (user_id)
  where plan = 'trial' and state in ('pending', 'paid') and user_id <> 'a6eRm92L';

-- how many trials a network had on a day; the network is a keyed hash that changes with the day
create table trial_networks (
  day date not null,
  network text not null,
  trials integer not null check (trials > 0),
  primary key (day, network)
);

create table subscriptions (
  id id primary key,
  order_id id unique references orders on delete restrict,
  server_id id unique,
  user_id id not null references users on delete restrict,
  state text not null check (state in ('pending', 'active', 'failed', 'cancelled', 'grace', 'ended')),
  term text not null check (term in ('monthly', 'quarterly', 'yearly', 'trial')),
  currency text not null,
  price_minor bigint not null check (price_minor >= 0),
  method_id id references payment_methods on delete restrict,
  -- the first day of the row of periods: what the 31st goes back to after a February
  anchor timestamptz,
  period_start timestamptz,
  period_end timestamptz,
  attempts integer not null default 0,
  next_attempt timestamptz,
  grace_reason text check (grace_reason in ('cancelled', 'trial_ended', 'payment_failed')),
  grace_until timestamptz,
  created timestamptz not null,
  -- when billing last tried: what fails goes behind the others. A charge without it was never sent to its processor.
  last_tried timestamptz,
  -- what a subscription pays for may differ from what was ordered
  plan text not null,
  ram_mb integer check (ram_mb > 0),
  -- Plus: a subscription without a server, one for each person at a time
  product text not null default 'server' check (product in ('server', 'plus')),
  -- of the request that bought Plus, until its payment fails: the same one twice is one subscription; servers have that of
  -- their order
  op_id uuid unique,
  -- the interval of Plus that was chosen for the next period, and its price
  next_term text check (next_term in ('monthly', 'quarterly', 'yearly')),
  next_price_minor bigint check (next_price_minor > 0),
  check ((state = 'grace') = (grace_until is not null)),
  check (state in ('pending', 'ended') or period_end is not null),
  constraint subscriptions_product check (
    case product
      when 'server' then num_nulls(order_id, server_id, ram_mb) = 0 and num_nonnulls(op_id, next_term, next_price_minor) = 0
      else num_nonnulls(order_id, server_id, ram_mb) = 0
        and num_nonnulls(next_term, next_price_minor) in (0, 2) and plan = 'plus' and term <> 'trial'
    end)
);
create index subscriptions_user on subscriptions (user_id, created desc);
create index subscriptions_open on subscriptions (state) where state <> 'ended';
create unique index subscriptions_plus on subscriptions (user_id) where product = 'plus' and state <> 'ended';

-- who has Plus now: it counts while a failed payment is tried again, and until a period that was canceled ends
create view plus_members as
  select user_id from subscriptions where product = 'plus' and state in ('active', 'failed', 'cancelled');

-- money asked of somebody for one period; its id is the key by which the processor knows it, however often it is asked
create table charges (
  id id primary key,
  subscription_id id not null references subscriptions on delete restrict,
  user_id id not null references users on delete restrict,
  method_id id references payment_methods on delete restrict,
  reason text not null check (reason in ('first', 'renewal', 'again', 'change')),
  state text not null check (state in ('open', 'waiting', 'succeeded', 'failed', 'refunded')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  processor text not null,
  intent_id text unique,
  failure text,
  created timestamptz not null,
  settled timestamptz,
  last_tried timestamptz,
  -- a payer disputes a payment with the bank, which takes the money and gives it back when the dispute is won
  dispute text check (dispute in ('open', 'won', 'lost')),
  dispute_id text,
  -- what of a charge of Plus goes to creators when it is paid, in US cents
  creators_minor bigint check (creators_minor > 0),
  -- What a payment processor keeps of a payment, in the currency in which it settles; null until it says so. The ledger has
  -- a transaction `fee` for each: `charge:<id>`, and `dispute:<id>` and `dispute_won:<id>` for those of a dispute.
  fee_minor bigint,
  fee_currency text check (fee_currency ~ '^[A-Z]{3}$'),
  fee_asked timestamptz,
  -- What a charge pays for, as it was sold: its subscription may have another size and interval since.
  product text not null check (product in ('server', 'plus')),
  ram_mb int check (ram_mb > 0),
  term text not null check (term in ('monthly', 'quarterly', 'yearly', 'trial')),
  constraint charges_fee check ((fee_minor is null) = (fee_currency is null)),
  constraint charges_product check ((product = 'plus') = (ram_mb is null))
);
create index charges_subscription on charges (subscription_id, created desc);
create index charges_unsettled on charges (created) where state in ('open', 'waiting');
create index charges_user on charges (user_id, created desc);
create index charges_settled on charges (processor, settled) where state in ('succeeded', 'refunded');
create index charges_without_fee on charges (processor, settled)
  where state in ('succeeded', 'refunded') and fee_minor is null;

-- changes of plan and interval. `paying`: its charge is not settled; `scheduled`: begins with the next period; `paid`: its
-- server is still to be resized
create table plan_changes (
  id id primary key,
  -- of the request: the same one twice is one change
  op_id uuid not null unique,
  subscription_id id not null references subscriptions on delete cascade,
  server_id id not null,
  state text not null check (state in ('paying', 'scheduled', 'paid', 'applied', 'failed', 'cancelled')),
  plan text not null,
  ram_mb integer not null check (ram_mb > 0),
  cpu_millis integer not null check (cpu_millis > 0),
  disk_mb integer not null check (disk_mb > 0),
  term text not null check (term in ('monthly', 'quarterly', 'yearly')),
  price_minor bigint not null check (price_minor >= 0),
  -- what the unused part of the old period was worth
  credit_minor bigint not null check (credit_minor >= 0),
  charge_id id references charges on delete restrict,
  created timestamptz not null,
  ended timestamptz
);
create unique index plan_changes_open on plan_changes (subscription_id) where state in ('paying', 'scheduled', 'paid');
create index plan_changes_charge on plan_changes (charge_id);

create view reserved_servers as
  select s.id, s.node_id, greatest(s.ram_mb, coalesce(c.ram_mb, 0)) as ram_mb,
    greatest(s.cpu_millis, coalesce(c.cpu_millis, 0)) as cpu_millis, greatest(s.disk_mb, coalesce(c.disk_mb, 0)) as disk_mb
  from servers s left join plan_changes c on c.server_id = s.id and c.state in ('paying', 'paid')
  -- its place stays free, so that a move that fails can go back
  union all select s.id, k.node_id, s.ram_mb, s.cpu_millis, s.disk_mb
  from server_copies k join servers s on s.id = k.server_id where k.kept;

-- what is given back of charges, each once for its `op_id`
create table refunds (
  id id primary key,
  op_id uuid not null unique,
  charge_id id not null references charges on delete restrict,
  amount_minor bigint not null check (amount_minor > 0),
  reason text check (char_length(reason) between 1 and 500),
  -- whether the service ended with it
  takes_service boolean not null,
  -- null: the operator at the machine, or an account that is gone
  actor_id id references users on delete set null,
  created timestamptz not null,
  -- when the processor had it; null until then
  sent timestamptz,
  -- `staff` gave it back; `late`: the payment came when
  -- nothing was to be paid any more; `undelivered`: its server had no place. Of the last two there is one for each charge, with
  -- the id of the charge.
  cause text not null default 'staff' check (cause in ('staff', 'late', 'undelivered')),
  -- when billing last sent it without an answer: what fails goes behind the others
  last_tried timestamptz,
  constraint refunds_reason check ((cause = 'staff') = (reason is not null))
);
create index refunds_charge on refunds (charge_id, created);
create index refunds_unsent on refunds (created) where sent is null;

-- days that staff gave to subscriptions
create table billing_credits (
  id id primary key,
  op_id uuid not null,
  subscription_id id not null references subscriptions on delete restrict,
  days int not null check (days between 1 and 366),
  reason text not null check (char_length(reason) between 1 and 500),
  actor_id id references users on delete set null,
  created timestamptz not null,
  unique (op_id, subscription_id)
);
create index billing_credits_subscription on billing_credits (subscription_id, created);

-- what staff note about somebody's payments
create table billing_notes (
  id id primary key,
  user_id id not null references users on delete cascade,
  actor_id id references users on delete set null,
  text text not null check (char_length(text) between 1 and 2000),
  created timestamptz not null
);
create index billing_notes_user on billing_notes (user_id, created desc);

-- the last number of each series of invoices; the row is locked until the commit, so that no number is left out
create table invoice_counters (
  series text primary key,
  last bigint not null check (last > 0)
);

-- invoices and credit notes as they were issued: who sold what at which tax then. Written once, never changed.
create table invoices (
  id id primary key,
  series text not null,
  number bigint not null check (number > 0),
  charge_id id not null references charges on delete restrict,
  -- of a credit note about a refund by staff
  refund_id id references refunds on delete restrict,
  kind text not null check (kind in ('invoice', 'credit_note')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  content jsonb not null,
  issued timestamptz not null,
  unique (series, number)
);
create unique index invoices_once on invoices (charge_id, kind, coalesce(refund_id, ''));

create function invoices_kept() returns trigger language plpgsql as $$
begin
  raise exception 'invoices are never changed' using errcode = 'restrict_violation';
end $$;
create trigger invoices_kept before update or delete on invoices for each row execute function invoices_kept();

-- what the processor told us, each once
create table webhook_events (
  processor text not null,
  id text not null,
  received timestamptz not null,
  primary key (processor, id)
);

-- The ledger: every amount is a transaction of entries that sum to zero in each currency. Written once, never changed:
-- what was wrong is balanced by another transaction.
create table ledger_accounts (
  id text primary key,
  kind text not null check (kind in
    ('customer', 'processor', 'income', 'fees', 'source', 'undivided', 'platform', 'pending', 'creator', 'remainder', 'payout'))
);

create table ledger_transactions (
  id id primary key,
  kind text not null check (kind in
    ('invoice', 'payment', 'void', 'refund', 'dispute', 'dispute_won', 'fee', 'earning', 'division', 'release', 'remainder', 'payout')),
  charge_id id references charges on delete restrict,
  created timestamptz not null,
  -- of transactions of creators' revenue, which belong to no charge: each is posted once for its reference, as a charge has one
  -- invoice
  reference text check (char_length(reference) between 1 and 100),
  -- one invoice, one payment, one void, one refund for each charge
  unique (charge_id, kind),
  constraint ledger_transactions_about check (num_nonnulls(charge_id, reference) = 1),
  constraint ledger_transactions_reference unique (kind, reference)
);
create index ledger_transactions_created on ledger_transactions (created desc, id desc);

create table ledger_entries (
  transaction_id id not null references ledger_transactions on delete restrict,
  account_id text not null references ledger_accounts on delete restrict,
  currency text not null,
  amount_minor bigint not null check (amount_minor <> 0),
  -- When the transaction of an entry was: a report of some months reads the entries of these only, from the index alone. It is
  -- written once, with the entry.
  created timestamptz,
  primary key (transaction_id, account_id, currency)
);
create index ledger_entries_account on ledger_entries (account_id);
create index ledger_entries_created on ledger_entries (created) include (account_id, currency, amount_minor);

-- the check runs for each entry: a plan that a session made while the table was small must not scan it whole later
create function ledger_balanced() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (
    select 1 from ledger_entries where transaction_id = new.transaction_id
    group by currency having sum(amount_minor) <> 0
  ) then
    raise exception 'ledger transaction % does not balance', new.transaction_id using errcode = 'check_violation';
  end if;
  return null;
end $$;

create function ledger_kept() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is never changed' using errcode = 'restrict_violation';
end $$;

-- here, too
create function ledger_entry_created() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  new.created := (select created from ledger_transactions where id = new.transaction_id);
  return new;
end $$;
create constraint trigger ledger_entries_balanced after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_balanced();
create trigger ledger_entries_kept before update or delete on ledger_entries
  for each row execute function ledger_kept();
create trigger ledger_transactions_kept before update or delete on ledger_transactions
  for each row execute function ledger_kept();
create trigger ledger_entry_created before insert on ledger_entries for each row execute function ledger_entry_created();

-- income of a month in UTC (its first day) whose release has not come is `pending:<month>`; a division is income of one day
-- or of days before it that had no points, shared by the points of that day
create table revenue_divisions (
  id int primary key generated always as identity,
  -- whose points shared it
  day date not null,
  -- the month with which it is released: that of the day, or the current one when that was released before
  period date not null check (extract(day from period) = 1),
  -- minor units of US dollars
  amount_minor bigint not null check (amount_minor > 0),
  fees_minor bigint not null check (fees_minor >= 0),
  -- what the platform keeps after fees, and what creators get
  kept_minor bigint not null check (kept_minor >= 0),
  shared_minor bigint not null check (shared_minor >= 0),
  points bigint not null check (points > 0),
  created timestamptz not null,
  check (amount_minor = fees_minor + kept_minor + shared_minor)
);
create index revenue_divisions_period on revenue_divisions (period);
create index revenue_divisions_day on revenue_divisions (day);

-- what was earned on a day, as an ad network reports it or as staff entered it
create table revenue_incomes (
  id id primary key,
  day date not null,
  source text not null check (source in ('ads', 'plus')),
  -- what the payer calls it: the same report entered twice is refused
  reference text collate "C" not null check (char_length(reference) between 1 and 80),
  amount_minor bigint not null check (amount_minor > 0),
  fees_minor bigint not null default 0 check (fees_minor between 0 and amount_minor),
  currency text not null default 'USD' check (currency = 'USD'),
  impressions bigint not null default 0 check (impressions >= 0),
  note text not null default '' check (char_length(note) <= 500),
  -- null: the operator at the machine, or an account that is gone
  entered_by id references users on delete set null,
  created timestamptz not null,
  -- null until it was divided
  division_id int references revenue_divisions on delete restrict,
  unique (source, reference)
);
create index revenue_incomes_day on revenue_incomes (day desc, id);
create index revenue_incomes_undivided on revenue_incomes (day) where division_id is null;

-- What each person earns by each project, in millionths of a dollar: the sum over a division is its `shared_minor` exactly.
-- No references: projects and people may go, and millions of rows are written at once. Written once, never changed.
create table revenue_shares (
  division_id int not null,
  project_id text collate "C" not null,
  user_id text collate "C" not null,
  amount_micros bigint not null check (amount_micros > 0)
);
-- A day's shares are written at once, a hundred thousand of them: in the order of their division they go to the end of each
-- index, and not to as many places of it.
create unique index revenue_shares_project on revenue_shares (division_id, project_id, user_id);
create index revenue_shares_user on revenue_shares (division_id, user_id);
create trigger revenue_shares_kept before update or delete on revenue_shares
  for each row execute function ledger_kept();

-- months whose income was released to creators, each once
create table revenue_releases (
  period date primary key check (extract(day from period) = 1),
  released_minor bigint not null check (released_minor >= 0),
  creators int not null check (creators >= 0),
  created timestamptz not null
);

-- less than a minor unit that a creator was not credited yet: it counts with the next release
create table revenue_remainders (
  user_id text collate "C" primary key,
  amount_micros int not null check (amount_micros between 1 and 9999)
);

-- where the money of a person goes, as they typed it last
create table payout_details (
  user_id id primary key references users on delete cascade,
  country text not null check (country ~ '^[A-Z]{2}$'),
  name text not null default '' check (char_length(name) <= 100),
  paypal_address text check (char_length(paypal_address) <= 254),
  venmo_handle text check (char_length(venmo_handle) <= 40),
  delivery_email text check (char_length(delivery_email) <= 254)
);

-- the tax form of a person, asked for before more than a certain sum is paid out in a year
create table tax_forms (
  user_id id primary key references users on delete cascade,
  form_type text not null check (form_type in ('W-9', 'W-8BEN', 'W-8BEN-E')),
  -- what was stated, encrypted for `tax:<user id>`; null while it was only asked for
  sealed text,
  requested timestamptz not null,
  signed timestamptz,
  check ((sealed is null) = (signed is null))
);

-- What creators withdraw. The ledger has a transaction `payout` with the id as its reference, and one `returned:<id>` when
-- the money came back. Amounts are minor units of US dollars; the provider sends `amount_minor - fee_minor`.
create table payouts (
  id id primary key,
  -- of an account that is gone: the Ghost user
  user_id id not null references users on delete restrict,
  -- the caller's: the same request twice is one payout
  op_id text collate "C" not null check (char_length(op_id) between 1 and 100),
  -- The sandboxes of providers have names of their own: what they were told to pay was not paid, and returns to balances.
  provider text not null check (provider in ('paypal', 'paypal_test', 'tremendous', 'tremendous_test', 'bank', 'test')),
  method_type text not null check (method_type in ('paypal', 'venmo', 'tremendous', 'bank')),
  method_id text not null check (char_length(method_id) between 1 and 100),
  method_name text not null check (char_length(method_name) <= 200),
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- empty once the account is gone
  address text not null check (char_length(address) <= 254),
  receiver text not null check (char_length(receiver) <= 100),
  currency text,
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null check (fee_minor >= 0 and fee_minor < amount_minor),
  -- unknown: the provider did not say yet that it has it
  state text not null check (state in ('unknown', 'in-transit', 'cancelling', 'success', 'cancelled', 'failed')),
  reference text check (char_length(reference) <= 200),
  failure text check (char_length(failure) <= 100),
  created timestamptz not null,
  settled timestamptz,
  checks int not null default 0,
  -- when a job asks the provider
  next_check timestamptz not null,
  -- since when its provider knows nothing of a payout that it took; null while it knows it
  gone_since timestamptz,
  unique (user_id, op_id),
  check ((settled is null) = (state in ('unknown', 'in-transit', 'cancelling')))
);
create index payouts_user on payouts (user_id, created desc, id);
create index payouts_newest on payouts (created desc, id);
create index payouts_due on payouts (next_check) where settled is null;

-- events of webhooks that were heard, so that none counts twice
create table payout_events (
  provider text not null,
  id text collate "C" not null check (char_length(id) between 1 and 200),
  created timestamptz not null,
  primary key (provider, id)
);
create index payout_events_created on payout_events (created);

-- what the provider of demo installations was told; no money moves
create table test_payouts (
  key text primary key,
  address text not null,
  amount_minor bigint not null,
  state text not null check (state in ('in-transit', 'success', 'cancelled', 'failed')),
  failure text,
  created timestamptz not null
);
create index test_payouts_created on test_payouts (created);

-- Payouts by bank: instructions wait until the operator writes them into a file for the bank (ISO 20022 pain.001), each into
-- one file, and says what became of it.
create table bank_files (
  -- the id of the message, which the bank repeats
  id text collate "C" primary key check (char_length(id) between 1 and 35),
  currency text not null check (currency in ('EUR', 'USD')),
  -- how many of the currency were one dollar
  exchange_rate text not null check (char_length(exchange_rate) <= 11),
  debtor_name text not null,
  debtor_iban text not null,
  debtor_bic text,
  execution_day date not null,
  created timestamptz not null,
  confirmed timestamptz
);
create index bank_files_open on bank_files (created) where confirmed is null;

create table bank_payouts (
  -- of the payout, and the end-to-end id at the bank
  key text collate "C" primary key check (char_length(key) between 1 and 35),
  -- who gets it; empty once it is over
  receiver text not null check (char_length(receiver) <= 200),
  iban text not null check (char_length(iban) <= 34),
  -- minor units of US dollars
  amount_minor bigint not null check (amount_minor > 0),
  state text not null check (state in ('waiting', 'exported', 'success', 'failed', 'cancelled', 'returned')),
  created timestamptz not null,
  file_id text collate "C" references bank_files on delete restrict,
  -- minor units of the currency of the file
  file_amount_minor bigint check (file_amount_minor > 0),
  -- Banks send transfers back days after they paid them: when, and what the bank says of it, such as AC04 for a closed account.
  returned timestamptz,
  return_reason text check (char_length(return_reason) between 1 and 100),
  check ((file_id is null) = (state in ('waiting', 'cancelled'))),
  check ((file_id is null) = (file_amount_minor is null)),
  constraint bank_payouts_returned
    check ((returned is null) = (state <> 'returned') and (returned is null) = (return_reason is null))
);
create index bank_payouts_waiting on bank_payouts (created, key) where state = 'waiting';
create index bank_payouts_file on bank_payouts (file_id, key);
create index bank_payouts_created on bank_payouts (created, key);

-- how often ads were shown, by day in UTC: nothing about who saw them
create table ad_impressions (
  day date not null,
  ad_id text not null,
  impressions bigint not null check (impressions > 0),
  primary key (day, ad_id)
);

-- MESSAGES: mail, notifications, threads and webhooks

-- of a project, of a report, or between people
create table threads (
  id id primary key,
  type text not null check (type in ('project', 'report', 'direct_message')),
  -- null once the project is deleted: staff still read the thread
  project_id id references projects on delete set null,
  report_id id,
  created timestamptz not null default now(),
  constraint threads_report foreign key (report_id) references reports on delete cascade deferrable initially deferred
);
create index threads_project on threads (project_id) where project_id is not null;
create index threads_report on threads (report_id) where report_id is not null;
alter table reports add foreign key (thread_id) references threads;

-- every project has its thread, whoever inserts it
create function projects_threads() returns trigger language plpgsql as $$
begin
  insert into threads (id, type, project_id)
  select thread_id, 'project', id from new_rows on conflict (id) do nothing;
  return null;
end $$;
create trigger projects_threads after insert on projects
  referencing new table as new_rows for each statement execute function projects_threads();

-- participants of direct messages
create table thread_members (
  thread_id id not null references threads on delete cascade,
  user_id id not null references users on delete cascade,
  primary key (thread_id, user_id)
);
create index thread_members_user on thread_members (user_id);

create table thread_messages (
  id id primary key,
  thread_id id not null references threads on delete cascade,
  -- null for what the system wrote
  author_id id references users on delete set null,
  type text not null,
  -- the fields of the message body without type and private
  body jsonb not null default '{}',
  private boolean not null default false,
  hide_identity boolean not null default false,
  created timestamptz not null default now()
);
create index thread_messages_thread on thread_messages (thread_id, created, id);
create index thread_messages_author on thread_messages (author_id) where author_id is not null;

create table thread_reads (
  thread_id id not null references threads on delete cascade,
  user_id id not null references users on delete cascade,
  read_at timestamptz not null,
  primary key (thread_id, user_id)
);

-- images of texts: stored before the text that names them
create table images (
  id id primary key,
  key text not null,
  raw_key text not null,
  size bigint not null,
  owner_id id not null references users on delete cascade,
  context text not null check (context in ('project', 'version', 'thread_message', 'report', 'unknown')),
  project_id id references projects on delete cascade,
  version_id id references versions on delete cascade,
  thread_message_id id references thread_messages on delete cascade,
  report_id id references reports on delete cascade,
  created timestamptz not null default now()
);
create index images_owner on images (owner_id);
create index images_project on images (project_id) where project_id is not null;
create index images_version on images (version_id) where version_id is not null;
create index images_message on images (thread_message_id) where thread_message_id is not null;
create index images_report on images (report_id) where report_id is not null;
create index images_keys on images (key);
create index images_unused on images (created)
  where project_id is null and version_id is null and thread_message_id is null and report_id is null;
-- Garbage collection looks images of texts up by the original too.
create index images_raw_keys on images (raw_key);

create table notifications (
  id id primary key,
  user_id id not null references users on delete cascade,
  type text not null,
  -- the fields of the notification body without type
  body jsonb not null default '{}',
  read boolean not null default false,
  -- notifications with the same key are displayed as one group
  group_key text,
  created timestamptz not null default now(),
  -- whether screens and the API show it; others only go out by mail
  on_site boolean not null default true,
  -- how it waits to be mailed; null when it was, or never is
  mail text check (mail in ('now', 'daily', 'weekly')),
  -- mails of quiet hours wait until their end
  mail_after timestamptz
);
create index notifications_user on notifications (user_id, created desc, id);
-- Old notifications are deleted once a day.
create index notifications_created on notifications (created);
create index notifications_mail on notifications (mail, user_id) where mail is not null;
create index notifications_unread on notifications (user_id) where not read;

-- What users want to hear of, on the site and by mail, and which notifications still have to be mailed.
create table notification_choices (
  user_id id primary key references users on delete cascade,
  -- by type: {"project_update": {"site": true, "mail": "weekly"}}; what is missing is as for everybody
  types jsonb not null default '{}',
  -- updates of followed projects: only with one of these, all when empty
  loaders text[] not null default '{}',
  game_versions text[] not null default '{}'
);

-- mails to be sent; what they say is made when they are sent, from sealed data
create table mails (
  id id primary key,
  template text not null,
  to_address text not null,
  user_id id references users on delete cascade,
  locale text not null,
  -- sealed: it may hold the secret of a link
  data text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'refused', 'failed')),
  attempts integer not null default 0,
  -- the next attempt, not before
  due timestamptz not null,
  -- what the mail server said last
  answer text,
  created timestamptz not null,
  sent timestamptz
);
create index mails_created on mails (created desc, id);
create index mails_user on mails (user_id) where user_id is not null;
-- thousands of newsletters wait without holding up a mail about an account
create index mails_due on mails ((template = 'newsletter'), due) where state = 'waiting';

-- addresses that confirmed to receive the newsletter
create table newsletter_subscriptions (
  email citext primary key,
  user_id id references users on delete cascade,
  locale text not null,
  confirmed timestamptz not null
);
create index newsletter_subscriptions_user on newsletter_subscriptions (user_id) where user_id is not null;

-- which address got which article, each once; of the address a hash that only this installation can make
create table newsletter_mails (
  article text not null,
  address_hash text not null,
  queued timestamptz not null,
  primary key (article, address_hash)
);

-- addresses that are told what happens to a project, to the projects and members of an organization, or to a game server
create table webhooks (
  id id primary key,
  project_id id references projects on delete cascade,
  organization_id id references organizations on delete cascade,
  name text not null,
  format text not null check (format in ('standard', 'discord')),
  -- sealed: whoever knows the address of a chat may write there
  address text not null,
  host text not null,
  -- sealed; after a rotation both sign until `old_secret_until`
  secret text not null,
  old_secret text,
  old_secret_until timestamptz,
  events text[] not null,
  enabled boolean not null default true,
  -- whether it was turned off because nothing arrived for days
  gave_up boolean not null default false,
  created_by id references users on delete set null,
  created timestamptz not null,
  server_id id references servers on delete cascade,
  constraint webhooks_owner check (num_nonnulls(project_id, organization_id, server_id) = 1)
);
create index webhooks_project on webhooks (project_id) where project_id is not null;
create index webhooks_organization on webhooks (organization_id) where organization_id is not null;
create index webhooks_created_by on webhooks (created_by) where created_by is not null;
create index webhooks_server on webhooks (server_id) where server_id is not null;

-- what is sent to a webhook, and what became of it
create table webhook_deliveries (
  -- follows from event and webhook, so that an event is queued once
  id id primary key,
  webhook_id id not null references webhooks on delete cascade,
  type text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  -- the next attempt, not before
  due timestamptz not null,
  created timestamptz not null,
  -- the last attempt: when, its status, the beginning of its answer, why there was none, how long it took
  tried timestamptz,
  status integer,
  answer text,
  problem text,
  took_ms integer
);
create index webhook_deliveries_due on webhook_deliveries (due) where state = 'waiting';
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created desc);

-- what staff have to know, each once: its key names the occasion
create table staff_notices (
  id id primary key,
  kind text not null,
  key text not null unique,
  data jsonb not null,
  -- mails that were queued
  mails int not null default 0,
  created timestamptz not null
);
create index staff_notices_newest on staff_notices (created desc, id);

-- the same, as it goes to the webhook and the chat of the installation
create table staff_notice_calls (
  id id primary key,
  notice_id id not null references staff_notices on delete cascade,
  channel text not null check (channel in ('webhook', 'chat')),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts int not null default 0,
  due timestamptz not null,
  status int,
  problem text,
  unique (notice_id, channel)
);
create index staff_notice_calls_due on staff_notice_calls (due) where state = 'waiting';

-- DISCOVERY: search and analytics

-- The search index of the Postgres engine: made from the catalogue, can be made anew at any time. No foreign keys:
-- a row stays until the reader of events takes it out.
create table search_documents (
  project_id text collate "C" primary key,
  -- key-value pairs of the project and of all its rows, as `db/discovery/search/postgres/filter.ts` writes them
  keys text[] collate "C" not null,
  downloads bigint not null,
  follows bigint not null,
  created_timestamp bigint not null,
  modified_timestamp bigint not null,
  newest_version bigint not null,
  loader_count int not null,
  title_key text collate "C" not null,
  title_words int not null,
  -- A title and slug, B joined words, C author, organization, categories, D summary
  terms tsvector not null,
  -- the rebuild that wrote or confirmed it
  stamp bigint not null,
  -- version ids of the rows, newest first: the place in the array is the place of the bit
  versions text[] collate "C" not null,
  -- what rows have, and beside each value the rows that have it
  row_keys text[] collate "C" not null,
  masks varbit[] not null,
  -- a bit for each row, all set
  whole varbit not null,
  -- The words of a title, sorted, so that a name typed with its words in another order is known at once. Empty until the
  -- index is made anew.
  title_sorted text collate "C" not null default ''
);
-- Values go into the index at once: a list of pending ones is read by every search, and made a filter of many values a hundred
-- times slower after a load (measured with 85,000 projects).
create index search_documents_keys on search_documents using gin (keys) with (fastupdate = off);
create index search_documents_terms on search_documents using gin (terms) with (fastupdate = off);
create index search_documents_downloads on search_documents (downloads desc, newest_version desc, project_id);
create index search_documents_follows on search_documents (follows desc, newest_version desc, project_id);
create index search_documents_newest on search_documents (created_timestamp desc, newest_version desc, project_id);
create index search_documents_updated on search_documents (modified_timestamp desc, newest_version desc, project_id);

-- what hits show, apart so that the columns above stay narrow
create table search_hits (
  project_id text collate "C" primary key,
  shown jsonb not null
);

-- words of titles and authors with the hashes of their single deletions: finds mistyped ones. Never shrinks between
-- rebuilds; a word nobody has any more finds nothing
create table search_terms (
  term text collate "C" primary key,
  deletions int[] not null,
  stamp bigint not null
);
create index search_terms_deletions on search_terms using gin (deletions gin__int_ops) with (fastupdate = off);

create table search_state (
  one boolean primary key default true check (one),
  generation bigint not null default 0,
  stamp bigint not null default 0,
  built boolean not null default false,
  documents bigint not null default 0,
  -- What kind of index is stored: tells code that makes another kind to make it anew.
  format text not null default ''
);
insert into search_state default values;

-- how often an address (salted hash) was counted for a project within the running six hours
create unlogged table download_windows (
  address text not null,
  project_id text not null,
  counted int not null,
  until timestamptz not null,
  primary key (address, project_id)
);
create index download_windows_until on download_windows (until);

-- views, downloads and playtime as earlier code stored them; nothing writes here any more
create table usage_records (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('view', 'playtime', 'download')),
  at timestamptz not null default now(),
  project_id id,
  version_id id,
  user_id id,
  -- of a view: the page; of playtime: loader, game version, seconds and parent
  data jsonb not null default '{}'
);
create index usage_records_at on usage_records (at);
-- deleting a user takes the user out of the records
create index usage_records_user on usage_records (user_id) where user_id is not null;

-- what was counted, one row for each view, download and report of playtime, for a few weeks. No addresses and no people.
-- Empty texts say that something is not known. A partition holds one day in UTC; `analytics_partitions` makes them
create table analytics_records (
  at timestamptz not null,
  -- 1 for views and downloads, seconds of playtime
  amount int not null check (amount > 0),
  kind text collate "C" not null check (kind in ('view', 'download', 'playtime')),
  -- empty for views of pages that belong to no project
  project_id text collate "C" not null,
  version_id text collate "C" not null default '',
  -- ISO 3166; XX is not known
  country text collate "C" not null default 'XX',
  loader text collate "C" not null default '',
  game_version text collate "C" not null default '',
  -- through what a file was downloaded: website, app, hosting, maven, a launcher, other
  source text collate "C" not null default '',
  -- why: standalone, dependency, modpack, update
  reason text collate "C" not null default '',
  -- the project that needs it
  dependent_id text collate "C" not null default '',
  -- the site whose page was viewed, or whose link was followed, and the path of the page
  domain text collate "C" not null default '',
  site_path text collate "C" not null default '',
  -- counts for the income of creators
  monetized boolean not null default false
) partition by range (at);
create index analytics_records_at on analytics_records (at);
create index analytics_records_project on analytics_records (project_id, kind, at);

-- sums of records that are alike in everything but the time within an hour
create table analytics_hours (
  like analytics_records including constraints including defaults
) partition by range (at);
alter table analytics_hours alter column amount type bigint;
create index analytics_hours_at on analytics_hours (at);
create index analytics_hours_project on analytics_hours (project_id, kind, at);

-- makes the partitions of the days from one to another, where they lack
create function analytics_partitions(parent text, first date, last date) returns void language plpgsql as $$
declare
  day date := first;
  name text;
begin
  while day <= last loop
    name := parent || '_' || to_char(day, 'YYYYMMDD');
    if to_regclass(name) is null then
      perform pg_advisory_xact_lock(hashtext('analytics.partitions'));
      if to_regclass(name) is null then
        -- attaching locks less than creating in place: reads and writes go on
        execute format('create table %I (like %I including defaults including constraints including indexes)', name, parent);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name,
          day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      end if;
    end if;
    day := day + 1;
  end loop;
end $$;
select analytics_partitions('analytics_records', current_date - 1, current_date + 2);
select analytics_partitions('analytics_hours', current_date - 1, current_date + 2);

-- the same within a day in UTC, for years
create table analytics_days (
  like analytics_hours including constraints including defaults including indexes
);

-- sums of days by project alone, for charts of years, sparklines and trends
create table analytics_totals (
  project_id text collate "C" not null,
  kind text collate "C" not null,
  day date not null,
  amount bigint not null check (amount > 0),
  primary key (project_id, kind, day)
);
create index analytics_totals_day on analytics_totals (day, kind);

-- hours with records that are not in the sums yet; `changes` grows with each batch, so that none is forgotten
create table analytics_changed (
  hour timestamptz primary key,
  changes int not null default 1
);

-- days whose hours were summed up anew, and whose own sums follow
create table analytics_changed_days (
  day date primary key
);

-- keys of the hashes by which a network is known again for six hours; they are deleted, and then nobody can
create table analytics_keys (
  day date primary key,
  key text not null
);

-- announcements that charts show
create table analytics_events (
  id id primary key,
  title text not null,
  announcement_url text,
  for_metric_kind text[] not null,
  starts timestamptz not null,
  ends timestamptz
);
