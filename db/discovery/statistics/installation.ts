import { offlineCutoff } from '../../hosting/nodes/read.ts';
import { countOpenOperations } from '../../hosting/servers/operations/operations.ts';
import { countUnreadEvents } from '../../platform/events/read.ts';
import { countWaitingJobs } from '../../platform/jobs/read.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** What an installation consists of and what it is doing, for its administrators. */
export interface Installation {
  people: { all: number; new_week: number };
  projects: { public: number; in_review: number; new_week: number };
  /** Counted in the last 30 days, and in the 30 days before. */
  traffic: Array<{ kind: 'view' | 'download' | 'playtime'; month: number; before: number }>;
  /** Bytes. */
  storage: { files: number; backups: number; database: number };
  hosting: { servers: number; running: number; nodes: number; connected: number };
  /** What waits: jobs, events, malware scans, mails, operations of servers, calls of webhooks. */
  waiting: { jobs: number; events: number; scans: number; mails: number; operations: number };
  /** Kinds of jobs that failed for good in the last week, the latest first, at most 20. */
  failed: Array<{ name: string; count: number; last: string }>;
}

/** Seven statements, some of which scan a whole table: for a page that few people open. */
export async function installation(db: Db, now: Date): Promise<Installation> {
  const [[counts], traffic, [storage], failed, jobs, events, operations] = await Promise.all([
    db<
      Array<
        Installation['people'] &
          Installation['hosting'] &
          Record<'public' | 'in_review' | 'new_projects' | 'scans' | 'mails', number>
      >
    >`
      select (select count(*)::int from users) as all,
        (select count(*)::int from users where created > ${now}::timestamptz - interval '7 days') as new_week,
        (select count(*)::int from projects where status = 'approved') as public,
        (select count(*)::int from projects where status = 'processing') as in_review,
        (select count(*)::int from projects where published > ${now}::timestamptz - interval '7 days') as new_projects,
        (select count(*)::int from servers where lifecycle <> 'deprovisioning') as servers,
        (select count(*)::int from servers where power in ('starting', 'running')) as running,
        (select count(*)::int from nodes) as nodes,
        (select count(*)::int from nodes where last_seen >= ${offlineCutoff(now)}) as connected,
        (select count(*)::int from file_scans where state = 'waiting') as scans,
        (select count(*)::int from mails where state = 'waiting') as mails`,
    db<Installation['traffic']>`
      select kind, coalesce(sum(amount) filter (where day > ${now}::date - 30), 0)::bigint as month,
        coalesce(sum(amount) filter (where day <= ${now}::date - 30), 0)::bigint as before
      from analytics_totals where day > ${now}::date - 60 and day <= ${now}::date group by kind order by kind`,
    db<[Installation['storage']]>`
      select (select coalesce(sum(size), 0)::bigint from files) as files,
        (select coalesce(sum(bytes), 0)::bigint from server_backups) as backups,
        pg_database_size(current_database()) as database`,
    db<Installation['failed']>`
      select name, count(*)::int as count, max(completed_on) as last from pgboss.job
      where state = 'failed' and completed_on > ${now}::timestamptz - interval '7 days'
      group by name order by last desc limit 20`,
    countWaitingJobs(db),
    countUnreadEvents(db),
    countOpenOperations(db),
  ]);
  const { all, new_week, in_review, new_projects, servers, running, nodes, connected, scans, mails } =
    counts!;
  return {
    people: { all, new_week },
    projects: { public: counts!.public, in_review, new_week: new_projects },
    traffic,
    storage,
    hosting: { servers, running, nodes, connected },
    waiting: { jobs, events, scans, mails, operations },
    failed,
  };
}
