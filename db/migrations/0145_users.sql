-- the search for users by the beginning of their name
create index users_username_prefix on users (lower(username::text) collate "C" text_pattern_ops);

-- what a download said about itself is kept beside views and playtime
alter table usage_records drop constraint usage_records_kind_check;
alter table usage_records add constraint usage_records_kind_check
  check (kind in ('view', 'playtime', 'download'));
-- deleting a user takes the user out of the records
create index usage_records_user on usage_records (user_id) where user_id is not null;
