-- events of every noun: what an event is about stands in a column, as it already does for the catalogue
alter table events
  add column collection_id id,
  add column server_id id,
  add column node_id id,
  add column notice_id id;

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
