-- a username may not spell somebody's id
create index users_lower_id on users (lower(id));
