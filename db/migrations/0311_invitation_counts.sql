-- how many people somebody invited on a day who are not their friends
create table invitation_counts (
  user_id id not null references users on delete cascade,
  day date not null,
  invitations integer not null check (invitations > 0),
  primary key (user_id, day)
);
create index invitation_counts_day on invitation_counts (day);
