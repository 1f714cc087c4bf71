-- Old notifications are deleted once a day.

create index notifications_created on notifications (created);
