-- when a person looked at a file that no scan could read whole: it is not hidden for that again
alter table file_scans add column looked_at timestamptz;
