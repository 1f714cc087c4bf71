-- The followers of a project are read in pages, by user.

create index follows_followers on follows (project_id, user_id);
drop index follows_project;
