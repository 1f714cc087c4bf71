-- no token lives longer than 366 days from now on; those that were to end later get a year from the upgrade
update tokens set expires = now() + interval '366 days' where expires > now() + interval '366 days';
