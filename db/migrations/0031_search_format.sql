-- What kind of index is stored: tells code that makes another kind to make it anew.
alter table search_state add column format text not null default '';
