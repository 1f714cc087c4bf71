-- who adds the same card at how many accounts
create index payment_methods_card on payment_methods (fingerprint, created) where fingerprint is not null;
