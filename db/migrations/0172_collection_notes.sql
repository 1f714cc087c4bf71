-- what the curator says about a project of the collection, for everybody who sees it
alter table collection_projects
  add column note text check (char_length(note) between 1 and 200);
