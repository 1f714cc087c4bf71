-- keys this installation made for itself, shared by all its processes; never answered, logged or put into pages
create table secrets (
  name text primary key,
  key text not null
);
-- 244 random bits
insert into secrets (name, key) values ('image_proxy', gen_random_uuid()::text || gen_random_uuid()::text);

-- texts that an older renderer made are found without reading all of them
create index projects_body_version on projects (body_version) where body <> '';
create index versions_changelog_version on versions (changelog_version) where changelog <> '';
