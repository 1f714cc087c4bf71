-- one trial per account, but the Ghost user keeps the orders of all deleted accounts
drop index trial_used;
create unique index trial_used on orders (user_id)
  where plan = 'trial' and state in ('pending', 'paid') and user_id <> 'a6eRm92L';
