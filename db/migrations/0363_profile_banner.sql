-- A wide picture on top of a profile.
alter table users add column banner_key text, add column raw_banner_key text;
