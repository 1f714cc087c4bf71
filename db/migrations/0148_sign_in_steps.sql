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

-- where a session was opened from, and when its user last proved who they are
alter table sessions
  add column ip text,
  add column city text,
  add column country text,
  add column proved timestamptz;
update sessions set proved = created;
-- the previous version inserts sessions without it
alter table sessions alter column proved set default now();
alter table sessions alter column proved set not null;

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
create index mails_due on mails (due) where state = 'waiting';
create index mails_created on mails (created desc, id);
create index mails_user on mails (user_id) where user_id is not null;
