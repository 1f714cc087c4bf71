-- Servers in their grace period say until when.
update servers s set lifecycle_data = s.lifecycle_data || jsonb_build_object('until', u.grace_until)
from subscriptions u
where u.server_id = s.id and u.state = 'grace' and s.lifecycle = 'suspended' and s.lifecycle_data->>'reason' = u.grace_reason;
