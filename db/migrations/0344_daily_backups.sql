-- Servers that are paid for have daily backups unless their owner decided otherwise; spread over a day.
insert into server_backup_rules (server_id, every_hours, last, hourly, daily, weekly, due)
select s.id, 24, 3, 0, 3, 2, now() + random() * interval '24 hours'
from servers s join subscriptions u on u.server_id = s.id
where u.state in ('active', 'failed', 'cancelled') and u.term <> 'trial' and s.lifecycle <> 'deprovisioning'
on conflict (server_id) do nothing;
