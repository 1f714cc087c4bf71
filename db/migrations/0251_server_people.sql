-- when an invitation was sent last: it can be sent again after a while
alter table server_members add column sent timestamptz not null default now();

-- who ended all mails of notifications gets none of a type that came later either
update notification_choices
set types = types || '{"server_invite": {"site": true, "mail": "off"}}'
where types <> '{}'
  and not exists (select from jsonb_each(types) t where t.value ->> 'mail' is distinct from 'off');
