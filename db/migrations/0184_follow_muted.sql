-- whether a follower hears nothing of this project; its own loaders and game versions are in the columns beside it
alter table follows
  add column muted boolean not null default false;
