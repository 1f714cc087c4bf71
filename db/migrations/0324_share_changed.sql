-- who ended all mails of notifications gets none of a type that came later either
update notification_choices
set types = types || '{"share_changed": {"site": true, "mail": "off"}}'
where types <> '{}'
  and not exists (select from jsonb_each(types) t where t.value ->> 'mail' is distinct from 'off');
