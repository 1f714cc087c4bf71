-- what the addresses of files hold while their project or version is hidden: only who may see it is told. Nobody who knew an
-- address before reads the files after they were hidden, so each change of the status makes another one.
alter table projects add column file_key text not null default replace(gen_random_uuid()::text, '-', '');

create function renew_file_key() returns trigger language plpgsql as $$
begin
  new.file_key := replace(gen_random_uuid()::text, '-', '');
  return new;
end $$;
create trigger projects_file_key before update of status on projects
  for each row when (old.status is distinct from new.status) execute function renew_file_key();

-- the few versions that are hidden in projects that are not
create index versions_hidden on versions (project_id) where status in ('draft', 'scheduled', 'unknown');
