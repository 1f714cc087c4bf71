-- What a username looks like, after Unicode UTS #39 (confusables), reduced to what usernames may hold: 0 and O, 1, I and l,
-- rn and m; and beyond it vv and w, and the separators. Names that look alike have the same skeleton.
create function username_skeleton(name text) returns text language sql immutable strict parallel safe
  return replace(replace(lower(translate(name, '01I_.', 'oll--')), 'm', 'rn'), 'w', 'vv');

alter table users
  add column skeleton text not null generated always as (username_skeleton(username::text)) stored;
create index users_skeleton on users (skeleton);
