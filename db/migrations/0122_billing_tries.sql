-- when billing last tried: what fails goes behind the others. A charge without it was never sent to its processor.
alter table subscriptions add column last_tried timestamptz;
alter table charges add column last_tried timestamptz;
update charges set last_tried = created;
