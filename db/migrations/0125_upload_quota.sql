-- how much an account stored on its last day of uploads (UTC), and its own limit where a moderator gave one
alter table users add column uploaded_day date;
alter table users add column uploaded_bytes bigint not null default 0;
alter table users add column upload_limit_bytes bigint check (upload_limit_bytes >= 0);
