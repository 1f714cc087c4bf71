-- What somebody was reminded of, once: a renewal or the deletion of a server, and its time then.
create table billing_reminders (
  subscription_id id not null references subscriptions on delete cascade,
  kind text not null check (kind in ('renewal_soon', 'deletion_soon')),
  at timestamptz not null,
  sent timestamptz not null,
  primary key (subscription_id, kind, at)
);
