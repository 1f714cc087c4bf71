-- Values go into the index at once: a list of pending ones is read by every search, and made a filter of many values
-- a hundred times slower after a load (measured with 85,000 projects).
alter index search_documents_keys set (fastupdate = off);
alter index search_documents_terms set (fastupdate = off);
alter index search_terms_deletions set (fastupdate = off);
select gin_clean_pending_list('search_documents_keys'), gin_clean_pending_list('search_documents_terms'),
  gin_clean_pending_list('search_terms_deletions');
