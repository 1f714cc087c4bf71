-- whether a server starts by itself once it is installed: one ordered on the site does, one of a program stays off
alter table orders add column starts boolean not null default false;

-- the first start of servers that were installed before is over
update servers set seen = seen || '{"ran": true}' where seen ? 'installed';
