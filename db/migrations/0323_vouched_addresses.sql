-- Whether staff or the operator verified the address by hand: it stays verified when the site can send mail for the first time.
alter table users add column email_vouched boolean not null default false;
