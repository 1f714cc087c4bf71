-- projects that a user or an organization shows first on its page, in its order
create table pins (
  user_id id references users on delete cascade,
  organization_id id references organizations on delete cascade,
  project_id id not null references projects on delete cascade,
  place smallint not null,
  check (num_nonnulls(user_id, organization_id) = 1)
);
create unique index pins_user on pins (user_id, project_id) where user_id is not null;
create unique index pins_organization on pins (organization_id, project_id) where organization_id is not null;
create index pins_project on pins (project_id);
