-- an export is a backup that is made to be taken away; what is known of its server stands before its archive
alter table server_backups drop constraint server_backups_reason_check;
alter table server_backups add constraint server_backups_reason_check
  check (reason in ('user', 'schedule', 'safety', 'export'));

create table server_exports (
  backup_id id primary key references server_backups on delete cascade,
  -- compressed: the same bytes for every part of the download
  head bytea not null
);

-- export: many requests until it expires, so that a download that is cut off goes on
alter table server_tickets drop constraint server_tickets_kind_check;
alter table server_tickets add constraint server_tickets_kind_check
  check (kind in ('archive', 'file', 'paths', 'backup', 'export', 'upload'));
