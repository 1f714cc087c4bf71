-- since when a mail server refuses the address of a user, and what it said: until the address changes, only mails about the
-- account itself are sent there
alter table users
  add column email_refused timestamptz,
  add column email_answer text;

-- addresses that confirmed to receive the newsletter
create table newsletter_subscriptions (
  email citext primary key,
  user_id id references users on delete cascade,
  locale text not null,
  confirmed timestamptz not null
);
create index newsletter_subscriptions_user on newsletter_subscriptions (user_id) where user_id is not null;
