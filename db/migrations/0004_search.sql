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
  stamp bigint not null
);
create index search_documents_keys on search_documents using gin (keys);
create index search_documents_terms on search_documents using gin (terms);
create index search_documents_downloads on search_documents (downloads desc, newest_version desc, project_id);
create index search_documents_follows on search_documents (follows desc, newest_version desc, project_id);
create index search_documents_newest on search_documents (created_timestamp desc, newest_version desc, project_id);
create index search_documents_updated on search_documents (modified_timestamp desc, newest_version desc, project_id);

-- one row per folded version: the unit a filter must match as a whole
create table search_rows (
  project_id text collate "C" not null,
  n int not null,
  version_id text collate "C",
  date bigint not null,
  keys text[] collate "C" not null,
  primary key (project_id, n)
);

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
create index search_terms_deletions on search_terms using gin (deletions gin__int_ops);

create table search_state (
  one boolean primary key default true check (one),
  generation bigint not null default 0,
  stamp bigint not null default 0,
  built boolean not null default false
);
insert into search_state default values;
