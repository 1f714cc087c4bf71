-- The sandboxes of providers have names of their own: what they were told to pay was not paid, and returns to balances.
alter table payouts drop constraint payouts_provider_check;
alter table payouts add constraint payouts_provider_check
  check (provider in ('paypal', 'paypal_test', 'tremendous', 'tremendous_test', 'bank', 'test'));
