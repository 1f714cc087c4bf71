-- Staff must have a second factor: without one their role counts for seven days, then they are like everybody else until they set
-- one up. 'infinity' is for accounts of a demo that only this machine reaches.
alter table users add column staff_since timestamptz;
update users set staff_since = now() where role <> 'developer';

create function note_staff() returns trigger language plpgsql as $$
begin
  if new.role = 'developer' then
    new.staff_since := null;
  elsif tg_op = 'INSERT' or old.role = 'developer' then
    new.staff_since := coalesce(new.staff_since, now());
  end if;
  return new;
end $$;
create trigger users_note_staff before insert or update of role on users for each row execute function note_staff();

-- what an account may use of its role now
create function usable_role(u users) returns text language sql stable as $$
  select case
    when u.role = 'developer' or u.staff_since > now() - interval '7 days'
      or exists (select from two_factor f where f.user_id = u.id) then u.role
    else 'developer' end
$$;
