-- Rows move into their document: for each value of a row key one bit per row that has it, so that "one single row
-- satisfies the whole filter" is a few bit operations instead of a join. Measured on 24,000 projects: see db/discovery/search.
drop table search_rows;
truncate search_documents, search_hits, search_terms;
alter table search_documents
  -- version ids of the rows, newest first: the place in the array is the place of the bit
  add column versions text[] collate "C" not null,
  -- what rows have, and beside each value the rows that have it
  add column row_keys text[] collate "C" not null,
  add column masks varbit[] not null,
  -- a bit for each row, all set
  add column whole varbit not null;
alter table search_state add column documents bigint not null default 0;
update search_state set built = false, documents = 0;
-- the reader begins anew
delete from event_cursors where reader = 'search';
