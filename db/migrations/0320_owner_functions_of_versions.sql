-- What triggers do to the tables of withdrawn versions and of kept names they do with the rights of the owner, where there are such
-- triggers (as in 0319).
do $$
declare
  one regproc;
begin
  for one in
    select oid from pg_proc
    where pronamespace = 'public'::regnamespace and prorettype = 'trigger'::regtype
      and proname in ('version_is_public', 'project_makes_versions_public', 'withdraw_files', 'withdraw_number',
        'withdraw_file', 'disown_names')
  loop
    execute format('alter function %s() security definer set search_path = public, pg_temp', one);
  end loop;
end $$;
