-- Names that were public stay with who had them: nobody else gets one until staff release it, or a project, account or
-- organization would be taken for another. Only a keyed hash of a name is stored, so that nothing of a deleted account is left.
insert into secrets (name, key) values ('kept_names', gen_random_uuid()::text || gen_random_uuid()::text);

create table kept_names (
  kind text not null check (kind in ('project', 'user', 'organization')),
  name text not null,
  -- who may take it back; null once they are gone
  owner_id id,
  since timestamptz not null default now(),
  primary key (kind, name)
);
create index kept_names_owner on kept_names (owner_id) where owner_id is not null;

create function kept_name(noun text, word text) returns text language sql stable as $$
  select encode(sha256(convert_to(s.key || ' ' || noun || ' ' || lower(word), 'UTF8')), 'hex')
  from secrets s where s.name = 'kept_names'
$$;

create function keep_name() returns trigger language plpgsql as $$
declare
  noun text := tg_argv[0];
  old_name text := coalesce(to_jsonb(old) ->> tg_argv[1], '');
  owner text := case when tg_op = 'DELETE' then null else old.id end;
begin
  if old_name = '' or old_name like '%--deleted-%' then return null; end if;
  insert into kept_names (kind, name, owner_id) values (noun, kept_name(noun, old_name), owner)
    on conflict (kind, name) do update set owner_id = excluded.owner_id, since = now();
  return null;
end $$;

-- a project that was approved once was public
create trigger projects_name_kept after update of slug on projects for each row
  when (old.slug is distinct from new.slug and old.approved is not null) execute function keep_name('project', 'slug');
create trigger projects_name_kept_gone after delete on projects for each row
  when (old.approved is not null) execute function keep_name('project', 'slug');

-- an account whose address was verified was public
create trigger users_name_kept after update of username on users for each row
  when (old.username is distinct from new.username and lower(old.username::text) <> lower(new.username::text) and old.email_verified)
  execute function keep_name('user', 'username');
create trigger users_name_kept_gone after delete on users for each row
  when (old.email_verified) execute function keep_name('user', 'username');

-- an organization that had an approved project was public
alter table organizations add column was_public boolean not null default false;
update organizations o set was_public = exists (
  select from projects p where p.organization = o.id and p.approved is not null);
create function organization_is_public() returns trigger language plpgsql as $$
begin
  update organizations set was_public = true where id = new.organization and not was_public;
  return null;
end $$;
create trigger projects_make_organizations_public after insert or update of organization, approved on projects for each row
  when (new.organization is not null and new.approved is not null) execute function organization_is_public();
create trigger organizations_name_kept after update of slug on organizations for each row
  when (old.slug is distinct from new.slug and old.was_public) execute function keep_name('organization', 'slug');
create trigger organizations_name_kept_gone after delete on organizations for each row
  when (old.was_public) execute function keep_name('organization', 'slug');

-- former addresses of projects are names that were public
insert into kept_names (kind, name, owner_id, since)
select 'project', kept_name('project', o.slug), o.project_id, o.created
from old_slugs o join projects p on p.id = o.project_id where p.approved is not null
on conflict do nothing;
