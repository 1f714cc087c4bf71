-- Whoever is gone owns no name: former names of a deleted project, account or organization are kept for nobody, without its id.
update kept_names k set owner_id = null
where owner_id is not null
  and not exists (select from projects where k.kind = 'project' and id = k.owner_id)
  and not exists (select from users where k.kind = 'user' and id = k.owner_id)
  and not exists (select from organizations where k.kind = 'organization' and id = k.owner_id);

create function disown_names() returns trigger language plpgsql as $$
begin
  update kept_names set owner_id = null where owner_id = old.id and kind = tg_argv[0];
  return null;
end $$;
create trigger projects_names_disowned after delete on projects for each row execute function disown_names('project');
create trigger users_names_disowned after delete on users for each row execute function disown_names('user');
create trigger organizations_names_disowned after delete on organizations for each row execute function disown_names('organization');

-- the list of staff, newest first
create index kept_names_since on kept_names (since desc);
