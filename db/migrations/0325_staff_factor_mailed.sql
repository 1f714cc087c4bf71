-- When somebody who is staff without a second factor was asked by mail to set one up, once for each time they become staff.
alter table users add column staff_factor_mailed timestamptz;
