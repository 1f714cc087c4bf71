-- What somebody typed into a form of a project's settings that was refused because the project had changed meanwhile:
-- both versions are shown until one is chosen, also to browsers without scripts. One per form and person.
create table refused_edits (
  user_id id not null references users on delete cascade,
  project_id id not null references projects on delete cascade,
  form text not null,
  fields jsonb not null,
  touched text[] not null,
  created timestamptz not null,
  primary key (user_id, project_id, form)
);
create index refused_edits_created on refused_edits (created);
create index refused_edits_project on refused_edits (project_id);
