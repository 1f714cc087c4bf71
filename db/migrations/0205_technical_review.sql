-- every version file has to be scanned; its row is inserted with it
create table file_scans (
  file_id id primary key references files on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  -- since when it waits
  requested timestamptz not null,
  -- when it may be taken; moved ahead while it is scanned
  due timestamptz not null,
  attempts int not null default 0,
  problem text,
  scanned timestamptz,
  -- of the rules of its last scan
  rules_version int,
  -- whether the last scan could read everything
  complete boolean
);
create index file_scans_due on file_scans (due) where state = 'waiting';
create index file_scans_failed on file_scans (requested) where state = 'failed';
create index file_scans_rules on file_scans (rules_version) where state = 'done';
insert into file_scans (file_id, requested, due)
select f.id, now(), now() from files f join versions v on v.id = f.version_id
  join projects p on p.id = v.project_id where p.status <> 'rejected';

-- what the scan of a file found, or what staff reported about it
create table scan_reports (
  id id primary key,
  file_id id not null unique references files on delete cascade,
  flag_reason text not null check (flag_reason in ('delphi', 'manual')),
  severity text not null check (severity in ('low', 'medium', 'high', 'severe', 'malware')),
  created timestamptz not null,
  -- whether somebody has to look at it
  open boolean not null,
  reviewed timestamptz,
  reviewed_by id references users on delete set null,
  verdict text check (verdict in ('safe', 'unsafe'))
);
create index scan_reports_open on scan_reports (created) where open;

create table scan_issues (
  id id primary key,
  report_id id not null references scan_reports on delete cascade,
  issue_type text not null,
  unique (report_id, issue_type)
);

create table scan_traces (
  id id primary key,
  issue_id id not null references scan_issues on delete cascade,
  -- the same for the same code, in whatever file
  key text not null check (key ~ '^[0-9a-f]{64}$'),
  jar text not null,
  file_path text not null,
  disassembly text not null,
  data jsonb not null,
  severity text not null check (severity in ('low', 'medium', 'high', 'severe', 'malware')),
  verdict text check (verdict in ('safe', 'unsafe')),
  decided timestamptz,
  decided_by id references users on delete set null
);
create index scan_traces_issue on scan_traces (issue_id);
create index scan_traces_key on scan_traces (key);

-- verdicts about the same code everywhere
create table trace_verdicts (
  key text primary key,
  verdict text not null check (verdict in ('safe', 'unsafe')),
  decided timestamptz not null,
  decided_by id references users on delete set null
);

-- files that are malware: what contains them is too
create table known_malware (
  sha512 text primary key check (sha512 ~ '^[0-9a-f]{128}$'),
  added timestamptz not null,
  added_by id references users on delete set null
);

-- creators with a clean record: only a person hides their versions
create table trusted_creators (
  user_id id primary key references users on delete cascade,
  since timestamptz not null,
  -- staff took it away: the rule does not give it back
  taken_away timestamptz,
  taken_away_by id references users on delete set null
);

-- a version that technical review keeps from the public is a draft meanwhile
alter table versions add column held timestamptz, add column held_status text;
create index versions_held on versions (held) where held is not null;
