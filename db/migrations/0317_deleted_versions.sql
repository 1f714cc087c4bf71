-- Versions that were public and are gone: their addresses say so for ever, and their numbers come back only with the same
-- bytes. Written by triggers, so that no deletion forgets it; nothing here says who deleted one. What a deleted project had
-- goes with it, because a project that is gone answers like one that never was.

-- a version was public when everybody could open it, in a project that was approved
alter table versions add column was_public boolean not null default false;
update versions v set was_public = true from projects p
where p.id = v.project_id and p.approved is not null
  and (v.status in ('listed', 'archived', 'unlisted') or v.held is not null);

create function version_is_public() returns trigger language plpgsql as $$
begin
  new.was_public := exists (
    select from projects p
    where p.id = new.project_id and p.approved is not null and p.status in ('approved', 'unlisted', 'withheld'));
  return new;
end $$;
create trigger versions_become_public before insert or update of status on versions for each row
  when (new.status in ('listed', 'archived', 'unlisted') and not new.was_public) execute function version_is_public();

create function project_makes_versions_public() returns trigger language plpgsql as $$
begin
  update versions set was_public = true
  where project_id = new.id and not was_public and status in ('listed', 'archived', 'unlisted');
  return null;
end $$;
create trigger projects_make_versions_public after update of status, approved on projects for each row
  when (new.approved is not null and new.status in ('approved', 'unlisted', 'withheld')
    and (old.approved is null or old.status <> new.status))
  execute function project_makes_versions_public();

create table deleted_versions (
  id id primary key,
  project_id id not null references projects on delete cascade,
  version_number text not null,
  deleted timestamptz not null default now(),
  by_staff boolean not null default false
);
create index deleted_versions_number on deleted_versions (project_id, version_number);

-- files that were public under a number of a project and are so no more
create table withdrawn_files (
  version_id id not null,
  version_number text not null,
  filename text not null,
  project_id id not null references projects on delete cascade,
  sha512 text not null,
  -- the primary file of a version that gave up the number, not one that was removed from a version
  is_primary boolean not null,
  primary key (version_id, version_number, filename)
);
create index withdrawn_files_number on withdrawn_files (project_id, version_number);

create function withdraw_files() returns trigger language plpgsql as $$
begin
  -- the project is gone already when its versions go with it
  perform 1 from projects where id = old.project_id;
  if found then
    insert into withdrawn_files (version_id, version_number, filename, project_id, sha512, is_primary)
    select old.id, old.version_number, f.filename, old.project_id, f.sha512, f.is_primary
    from files f where f.version_id = old.id
    on conflict (version_id, version_number, filename)
      do update set is_primary = withdrawn_files.is_primary or excluded.is_primary;
    insert into deleted_versions (id, project_id, version_number)
    values (old.id, old.project_id, old.version_number);
  end if;
  return old;
end $$;
create trigger versions_withdraw_files before delete on versions for each row
  when (old.was_public) execute function withdraw_files();
-- a number is given up by an edit when no version beside it was public under it too
create function withdraw_number() returns trigger language plpgsql as $$
begin
  insert into withdrawn_files (version_id, version_number, filename, project_id, sha512, is_primary)
  select old.id, old.version_number, f.filename, old.project_id, f.sha512, f.is_primary
  from files f where f.version_id = old.id and not exists (
    select from versions v
    where v.project_id = old.project_id and v.version_number = old.version_number and v.id <> old.id and v.was_public)
  on conflict (version_id, version_number, filename)
    do update set is_primary = withdrawn_files.is_primary or excluded.is_primary;
  return null;
end $$;
create trigger versions_withdraw_number after update of version_number on versions for each row
  when (old.was_public and old.version_number <> new.version_number) execute function withdraw_number();

create function withdraw_file() returns trigger language plpgsql as $$
begin
  -- the version is gone already when its files go with it
  insert into withdrawn_files (version_id, version_number, filename, project_id, sha512, is_primary)
  select v.id, v.version_number, old.filename, v.project_id, old.sha512, false
  from versions v join projects p on p.id = v.project_id where v.id = old.version_id and v.was_public
  on conflict do nothing;
  return old;
end $$;
create trigger files_withdrawn before delete on files for each row execute function withdraw_file();
