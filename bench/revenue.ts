import { balances } from '#db/money/billing/ledger.ts';
import { divideRevenue } from '#db/money/billing/revenue/divide.ts';
import { addIncome } from '#db/money/billing/revenue/income.ts';
import { releaseRevenue } from '#db/money/billing/revenue/release.ts';
import { operator } from '#db/platform/people/rules.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { inOwnDatabase } from './own-database.ts';
import { informational, type Row, ratioAtMost } from './report.ts';

/** Projects and points of a month; the defaults are what the issue of money names. */
const projects = Number(process.env.BENCH_PROJECTS ?? 100_000);
const points = Number(process.env.BENCH_POINTS ?? 10_000_000);
const days = 30;
const day_ms = 86_400_000;
const first = new Date('2026-09-01T00:00:00Z');
const after = new Date(first.getTime() + (days + 1) * day_ms);
const released = new Date('2026-12-01T00:00:00Z');
/** What a month's division and release may add to the memory of this process. */
const most_mb = 500;

/**
 * A month of income for many projects: the daily division against one statement that sums the same points, and the release
 * of the month; the ledger balances afterwards. Adds to `rows`.
 */
export async function measureRevenue(rows: Row[]): Promise<void> {
  await inOwnDatabase('revenue', async (sql) => {
    await catalogue(sql);
    for (let day = 0; day < days; day++) {
      const input = {
        day: dayAt(day),
        source: 'ads',
        amount_minor: 1_000_003,
        impressions: 0,
        note: '',
      } as const;
      await sql.begin((tx) => addIncome(tx, operator, { ...input, reference: `day ${day}` }, 0, after));
    }
    await measure(sql, rows);
  });
}

const dayAt = (day: number): string => new Date(first.getTime() + day * day_ms).toISOString().slice(0, 10);

/** Projects with an owner each, every fifth with a second member; points of which few projects have most. */
async function catalogue(sql: Pool): Promise<void> {
  await sql`insert into users (id, username) select 'u' || n, 'u' || n from generate_series(1, ${projects}::int) n`;
  await sql`insert into teams (id) select 't' || n from generate_series(1, ${projects}::int) n`;
  await sql`
    insert into team_members (team_id, user_id, is_owner, accepted, payouts_split)
    select 't' || n, 'u' || n, true, true, 100 from generate_series(1, ${projects}::int) n
    union all select 't' || n, 'u' || (n - 1), false, true, 33.3 from generate_series(5, ${projects}::int, 5) n`;
  await sql`
    insert into projects (id, slug, team, title, description, status, license_id, thread_id)
    select 'P' || n, 'p' || n, 't' || n, 'P', '', 'approved', 'MIT', 'h' || n from generate_series(1, ${projects}::int) n`;
  const size = 500_000;
  for (let done = 0; done < points; done += size)
    await sql`
      insert into analytics_days (at, amount, kind, project_id, country, loader, monetized)
      select ${first}::timestamptz + interval '1 day' * (n * ${days}::bigint / ${points}::bigint), 1,
        (array['view', 'view', 'download'])[1 + n % 3], 'P' || 1 + floor(${projects} * power(random(), 2))::int,
        (array['US', 'DE', 'GB', 'FR'])[1 + n % 4], (array['fabric', 'forge', ''])[1 + n / 7 % 3], true
      from generate_series(${done}::bigint, ${Math.min(points, done + size) - 1}::bigint) n`;
  await sql`vacuum analyze analytics_days`;
  await sql`analyze projects, team_members, users`;
}

async function measure(sql: Pool, rows: Row[]): Promise<void> {
  const sum = async () => {
    const start = performance.now();
    await sql`
      select count(*), max(points) from (
        select at, project_id, sum(amount) as points from analytics_days
        where at >= ${first} and at < ${after} and monetized and kind in ('view', 'download') group by 1, 2) t`;
    return performance.now() - start;
  };
  await sum();
  const sums = [await sum(), await sum()];
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  let start = performance.now();
  const divided = await divideRevenue(sql, after);
  const ours = performance.now() - start;
  start = performance.now();
  const done = await releaseRevenue(sql, released);
  const release = performance.now() - start;
  clearInterval(watch);
  // before and after: what else runs on the machine meets both
  sums.push(await sum(), await sum());
  const bare = sums.reduce((all, one) => all + one, 0) / sums.length;
  if (divided.days !== days || done.months !== 1) throw new Error('Not every day was divided and released');
  const off = (await balances(sql)).filter(([account]) => /^(pending|undivided):/.test(account));
  if (off.length > 0) throw new Error(`Something is left: ${JSON.stringify(off)}`);
  const [shares] = await sql<Array<{ count: number }>>`select count(*) from revenue_shares`;
  const mb = (peak - before) / 2 ** 20;
  rows.push(
    ratioAtMost(3, {
      name: `income of ${days} days divided among ${projects.toLocaleString('en')} projects by ${points.toLocaleString('en')} points`,
      ...{ ours: `${ours.toFixed(0)} ms`, baseline: `one sum ${bare.toFixed(0)} ms`, ratio: ours / bare },
    }),
    ratioAtMost(1, {
      name: 'memory that this adds to the process',
      ...{ ours: `${mb.toFixed(0)} MB`, baseline: `${most_mb} MB`, ratio: mb / most_mb },
    }),
    informational(
      'shares of the month; its release to accounts',
      `${shares!.count.toLocaleString('en')}; ${(release / 1000).toFixed(1)} s`,
    ),
  );
}
