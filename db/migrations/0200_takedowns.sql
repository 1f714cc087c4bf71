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

insert into takedowns (id, project_id, project_title, kind, reason, status_before, placed)
select p.id, p.id, p.title, 'other', h.reason, h.status_before, h.since
from legal_holds h join projects p on p.id = h.project_id;
drop table legal_holds;
