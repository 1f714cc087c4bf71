import type { Db, Pool } from '../../platform/postgres/sql.ts';
import { day } from './records.ts';

const day_ms = 86_400_000;
/** Hours that one run sums up: the rest waits for the next one, a minute later. */
const hours_a_run = 500;
/** Partitions that exist ahead of time. */
const days_ahead = 2;

/** Every column by which sums are told apart, beside the time. */
const columns = (db: Db) =>
  db`kind, project_id, version_id, country, loader, game_version, source, reason, dependent_id, domain, site_path, monetized`;

/** How many days are kept: records, hours, and days (0: for ever). */
export interface Retention {
  records_d: number;
  hours_d: number;
  days_d: number;
}

/**
 * Sums up the records of every hour that changed, and then the days of these hours; the sums are those of all records, so
 * that a second run changes nothing and late records count. Several processes wait for each other. Records of hours that
 * are no longer kept whole are not summed up again. Gives the number of hours and days.
 */
export async function rollUp(
  sql: Pool,
  now: Date,
  { records_d }: Pick<Retention, 'records_d'>,
): Promise<{ hours: number; days: number }> {
  const today = now.getTime();
  await sql`select analytics_partitions(parent, ${day(today)}::date, ${day(today + days_ahead * day_ms)}::date)
    from unnest('{analytics_records,analytics_hours}'::text[]) as parent`;
  const changed = await sql<Array<{ hour: string; changes: number }>>`
    select hour, changes from analytics_changed order by hour limit ${hours_a_run}`;
  const oldest = Date.parse(day(today - (records_d - 1) * day_ms));
  for (const { hour, changes } of changed) {
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('analytics.roll-up'))`;
      if (Date.parse(hour) >= oldest) {
        await sumHour(tx, hour);
        await tx`insert into analytics_changed_days (day) values (${day(Date.parse(hour))}::date) on conflict do nothing`;
      }
      // a batch that was written meanwhile has raised the number: the hour is summed up again
      await tx`delete from analytics_changed where hour = ${hour} and changes = ${changes}`;
    });
  }
  const waiting = await sql<
    Array<{ day: string }>
  >`select day::text as day from analytics_changed_days order by day`;
  for (const { day: date } of waiting) {
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('analytics.roll-up'))`;
      await sumDay(tx, date);
      await tx`delete from analytics_changed_days where day = ${date}::date`;
    });
  }
  return { hours: changed.length, days: waiting.length };
}

async function sumHour(tx: Db, hour: string): Promise<void> {
  const until = new Date(Date.parse(hour) + 3_600_000).toISOString();
  await tx`select analytics_partitions('analytics_hours', ${day(Date.parse(hour))}::date, ${day(Date.parse(hour))}::date)`;
  await tx`delete from analytics_hours where at = ${hour}`;
  await tx`
    insert into analytics_hours (at, amount, ${columns(tx)})
    select ${hour}::timestamptz, sum(amount), ${columns(tx)} from analytics_records
    where at >= ${hour} and at < ${until} group by ${columns(tx)}`;
}

async function sumDay(tx: Db, date: string): Promise<void> {
  const from = `${date}T00:00:00Z`;
  const until = new Date(Date.parse(from) + day_ms).toISOString();
  await tx`delete from analytics_days where at = ${from}`;
  await tx`
    insert into analytics_days (at, amount, ${columns(tx)})
    select ${from}::timestamptz, sum(amount), ${columns(tx)} from analytics_hours
    where at >= ${from} and at < ${until} group by ${columns(tx)}`;
  await tx`delete from analytics_totals where day = ${date}::date`;
  await tx`
    insert into analytics_totals (project_id, kind, day, amount)
    select project_id, kind, ${date}::date, sum(amount) from analytics_days where at = ${from} group by 1, 2`;
}

/** Removes what is older than it is kept, records and hours a whole day at a time. Gives the number of partitions. */
export async function removeOldAnalytics(sql: Pool, now: Date, keep: Retention): Promise<number> {
  const before = (days: number) => day(now.getTime() - days * day_ms);
  const partitions = await sql<Array<{ name: string }>>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    join pg_class p on p.oid = i.inhparent
    where (p.relname = 'analytics_records' and right(c.relname, 8) < ${before(keep.records_d).replaceAll('-', '')})
      or (p.relname = 'analytics_hours' and right(c.relname, 8) < ${before(keep.hours_d).replaceAll('-', '')})`;
  for (const { name } of partitions)
    await sql.begin(async (tx) => {
      // whoever reads a chart keeps it for a moment: the next run tries again
      await tx`set local lock_timeout = '2s'`;
      await tx`select drop_analytics_partition(${name})`;
    });
  if (keep.days_d > 0) {
    await sql`delete from analytics_days where at < ${before(keep.days_d)}::date`;
    await sql`delete from analytics_totals where day < ${before(keep.days_d)}::date`;
  }
  return partitions.length;
}
