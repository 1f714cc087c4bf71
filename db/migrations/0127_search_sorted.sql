-- The words of a title, sorted, so that a name typed with its words in another order is known at once. Empty until the
-- index is made anew, which happens by itself: its format changed.
alter table search_documents add column title_sorted text collate "C" not null default '';
