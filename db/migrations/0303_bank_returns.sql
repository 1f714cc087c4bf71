/*
 * Banks send transfers back days after they paid them: when, and what the bank says of it, such as AC04 for a closed
 * account.
 */
alter table bank_payouts drop constraint bank_payouts_state_check;
alter table bank_payouts add constraint bank_payouts_state_check
  check (state in ('waiting', 'exported', 'success', 'failed', 'cancelled', 'returned'));
alter table bank_payouts add column returned timestamptz;
alter table bank_payouts add column return_reason text check (char_length(return_reason) between 1 and 100);
alter table bank_payouts add constraint bank_payouts_returned
  check ((returned is null) = (state <> 'returned') and (returned is null) = (return_reason is null));
