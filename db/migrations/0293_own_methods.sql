-- a method that its owner removed stays for the charges that were made with it; the primary one pays for all subscriptions
alter table payment_methods add column removed timestamptz;
alter table payment_methods add column is_primary boolean not null default false check (not is_primary or removed is null);
create unique index payment_methods_primary on payment_methods (user_id, processor) where is_primary;
