-- The order in which texts arrived to be saved. Rendering takes its time: a text that arrived earlier and was
-- rendered later must not replace one that arrived after it.
create sequence text_revisions;
alter table projects add column body_revision bigint not null default 0;
alter table versions add column changelog_revision bigint not null default 0;
