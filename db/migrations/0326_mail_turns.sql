-- Mails about an account come before notifications, and those before the newsletter: nobody waits for a link behind ten thousand
-- followers of somebody else.
create function mail_turn(template text) returns integer language sql immutable as $$
  select case
    when template = 'newsletter' then 2
    when template in ('project_update', 'team_invite', 'organization_invite', 'status_change', 'project_status_approved',
      'moderator_message', 'report_status_updated', 'notification', 'digest') then 1
    else 0 end
$$;
drop index mails_due;
create index mails_due on mails (mail_turn(template), due) where state = 'waiting';
