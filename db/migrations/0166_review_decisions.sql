-- how many decisions were made lately: the estimate of the review queue
create index events_decided on events (created)
  where name = 'project.moved' and data ->> 'from' = 'processing' and data ->> 'to' not in ('processing', 'draft');
