-- What staff decided when they closed a report; null for one that is open, or was closed without a decision.
alter table reports add column outcome text
  check (outcome in ('accepted', 'rejected', 'returned', 'withheld', 'approved')),
  add constraint reports_outcome_closed check (outcome is null or closed);
