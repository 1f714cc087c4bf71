-- Threads, reports, notifications, images in texts, disclosures, friends, preferences and notes of moderators.

create table threads (
  id id primary key,
  type text not null check (type in ('project', 'report', 'direct_message')),
  -- null once the project is deleted: staff still read the thread
  project_id id references projects on delete set null,
  report_id id,
  created timestamptz not null default now()
);
create index threads_project on threads (project_id) where project_id is not null;
create index threads_report on threads (report_id) where report_id is not null;

insert into threads (id, type, project_id) select thread_id, 'project', id from projects;

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
  thread_id id not null references threads
);
create index reports_reporter on reports (reporter, created desc);
create index reports_open on reports (created) where not closed;
create index reports_project on reports (project_id) where project_id is not null;
create index reports_version on reports (version_id) where version_id is not null;
create index reports_user on reports (user_id) where user_id is not null;
create index reports_thread on reports (thread_id);
alter table threads add constraint threads_report foreign key (report_id) references reports on delete cascade
  deferrable initially deferred;

create table notifications (
  id id primary key,
  user_id id not null references users on delete cascade,
  type text not null,
  -- the fields of the notification body without type
  body jsonb not null default '{}',
  read boolean not null default false,
  -- notifications with the same key are displayed as one group
  group_key text,
  created timestamptz not null default now()
);
create index notifications_user on notifications (user_id, created desc, id);

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

create table user_preferences (
  user_id id primary key references users on delete cascade,
  data jsonb not null default '{}'
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

alter table users add column allow_friend_requests boolean not null default true;
-- when a scheduled project or version gets its requested status
alter table projects add column scheduled_for timestamptz;
alter table versions add column scheduled_for timestamptz;
create index projects_scheduled on projects (scheduled_for) where status = 'scheduled';
create index versions_scheduled on versions (scheduled_for) where status = 'scheduled';

-- views and playtime as they arrive, without addresses; the analytics roll them up
create table usage_records (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('view', 'playtime')),
  at timestamptz not null default now(),
  project_id id,
  version_id id,
  user_id id,
  -- of a view: the page; of playtime: loader, game version, seconds and parent
  data jsonb not null default '{}'
);
create index usage_records_at on usage_records (at);

alter table events add column thread_id id, add column report_id id;
