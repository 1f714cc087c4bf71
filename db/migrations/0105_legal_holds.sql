-- projects that the law or an order keeps from being shown; the status they had waits here
create table legal_holds (
  project_id id primary key references projects on delete cascade,
  reason text not null check (char_length(reason) between 1 and 2000),
  status_before text not null,
  since timestamptz not null
);
