-- what a gallery image shows, for people who can't see it
alter table gallery add alt text;
