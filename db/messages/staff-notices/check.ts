import type { Pool } from '../../platform/postgres/sql.ts';
import { review_promise_hours, type StaffNotice } from './rules.ts';
import { notifyStaff, type StaffNotifying } from './write.ts';

const hour_ms = 3_600_000;

/**
 * Tells staff of what no event says: jobs that failed for good, once for each kind of job and hour, and, once a day, that
 * projects wait for review for longer than was promised. Gives how many notices are new.
 */
export async function notifyOfTrouble(
  { sql, ...notifying }: StaffNotifying & { sql: Pool },
  now: Date,
): Promise<number> {
  let told = 0;
  for (const notice of [...(await failedJobs(sql, now)), ...(await lateReviews(sql, now))])
    if (await sql.begin((tx) => notifyStaff(tx, notifying, notice, now))) told++;
  return told;
}

type Keyed = StaffNotice & { key: string };

async function failedJobs(sql: Pool, now: Date): Promise<Keyed[]> {
  const rows = await sql<Array<{ job: string; hour: string; count: number }>>`
    select name as job, to_char(completed_on at time zone 'UTC', 'YYYY-MM-DD HH24') as hour, count(*)::int as count
    from pgboss.job
    where state = 'failed' and completed_on > ${new Date(now.getTime() - 2 * hour_ms)} and completed_on <= ${now}
    group by 1, 2`;
  return rows.map(({ job, hour, count }) => ({
    kind: 'job_failed',
    key: `job ${job} ${hour}`,
    data: { job, count },
  }));
}

async function lateReviews(sql: Pool, now: Date): Promise<Keyed[]> {
  const [late] = await sql<Array<{ waiting: number; since: string | null }>>`
    select count(*)::int as waiting, min(coalesce(queued, published)) as since
    from projects
    where status = 'processing' and coalesce(queued, published) < ${new Date(now.getTime() - review_promise_hours * hour_ms)}`;
  if (!late?.since) return [];
  const hours = Math.floor((now.getTime() - new Date(late.since).getTime()) / hour_ms);
  const day = now.toISOString().slice(0, 10);
  return [{ kind: 'review_late', key: `review ${day}`, data: { waiting: late.waiting, hours } }];
}
