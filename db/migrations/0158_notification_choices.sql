-- What users want to hear of, on the site and by mail, and which notifications still have to be mailed.

create table notification_choices (
  user_id id primary key references users on delete cascade,
  -- by type: {"project_update": {"site": true, "mail": "weekly"}}; what is missing is as for everybody
  types jsonb not null default '{}',
  -- updates of followed projects: only with one of these, all when empty
  loaders text[] not null default '{}',
  game_versions text[] not null default '{}'
);

-- for this project instead of the choices of its follower; null: as there
alter table follows
  add column loaders text[],
  add column game_versions text[];

alter table notifications
  -- whether screens and the API show it; others only go out by mail
  add column on_site boolean not null default true,
  -- how it waits to be mailed; null when it was, or never is
  add column mail text check (mail in ('now', 'daily', 'weekly'));
create index notifications_mail on notifications (mail, user_id) where mail is not null;
create index notifications_unread on notifications (user_id) where not read;
