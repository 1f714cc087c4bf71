-- Accounts that moderators keep from signing in: until when (the year 9999 for no end) and why.
alter table users
  add column suspended_until timestamptz,
  add column suspension_reason text check (char_length(suspension_reason) between 1 and 2000);
