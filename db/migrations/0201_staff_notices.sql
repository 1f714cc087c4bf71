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
