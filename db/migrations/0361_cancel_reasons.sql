-- why somebody canceled a subscription, when they said so; gone when it goes on
alter table subscriptions
  add column cancel_reason text check (cancel_reason in ('price', 'unused', 'missing', 'problems', 'elsewhere', 'pause', 'other')),
  add column cancel_note text check (length(cancel_note) between 1 and 500);
