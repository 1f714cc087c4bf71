import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { usageCounter } from '#db/discovery/analytics/counter.ts';
import { readSeries } from '#db/discovery/analytics/read.ts';
import { type AnalyticsRecord, insertRecords } from '#db/discovery/analytics/records.ts';
import { rollUp } from '#db/discovery/analytics/roll-up.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import { filesHandler } from '#site/platform/http/stored-files.ts';
import { inOwnDatabase } from './own-database.ts';
import { informational, type Row, ratioAtLeast, ratioAtMost } from './report.ts';

/** Events of a year; ten million by default is what the issue of analytics names. */
const events = Number(process.env.BENCH_EVENTS ?? 10_000_000);
const projects = 2_000;
const charted = 15;
const day_ms = 86_400_000;
const until = new Date(Math.floor(Date.now() / day_ms) * day_ms);
const from = new Date(until.getTime() - 365 * day_ms);
const keep = { records_d: 400, hours_d: 400, days_d: 0 };

/**
 * What counting costs: a download with and without it, batches against a bare insert, the sums of a year of events compared
 * with a plain count, and charts of that year against one indexed sum over the same rows. Adds to `rows`.
 */
export async function measureAnalytics(rows: Row[]): Promise<void> {
  await inOwnDatabase('analytics', async (sql, folder) => {
    rows.push(await downloads(sql, folder));
    rows.push(await ingest(sql));
    await year(sql, rows);
    for (const row of await charts(sql)) rows.push(row);
  });
}

/** Processor time of downloads of a small file with the counter, and with one that does nothing. */
async function downloads(sql: Pool, folder: string): Promise<Row> {
  const log = pino({ level: 'silent' });
  const storage = diskStorage(folder);
  const path = 'data/AAAA1111/versions/BBBB2222/mod.jar';
  await storage.putBytes(path, Buffer.alloc(256 * 1024, 7));
  const usage = usageCounter({ sql, log, now: () => new Date() }, { flush_ms: 1_000 });
  let network = 0;
  const serve = async (counter: { count: typeof usage.count }): Promise<number> => {
    const handle = filesHandler({
      ...{
        storage,
        log,
        usage: counter,
        blocked: { reason: () => null },
        hidden: { access: () => 'open' as const },
        gone: async () => null,
      },
      addressOf: () => `10.0.${(network++ >> 8) & 255}.${network & 255}`,
      settings: { SITE_URL: 'http://localhost', COUNTRY_HEADER: undefined },
    });
    const server = createServer((req, res) => void handle(req, res));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const before = process.cpuUsage();
    let left = 2_000;
    const one = () =>
      new Promise<void>((done) => {
        request({ port, path: `/${path}`, agent, headers: { 'user-agent': 'PrismLauncher/9.1' } }, (res) => {
          res.resume().on('end', done);
        }).end();
      });
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (left-- > 0) await one();
      }),
    );
    const { user, system } = process.cpuUsage(before);
    agent.destroy();
    server.close();
    return (user + system) / 1000;
  };
  const idle = { count: () => {} };
  await serve(idle);
  const times: Array<[number, number]> = [];
  for (let i = 0; i < 7; i++) times.push([await serve(usage), await serve(idle)]);
  await usage.close();
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
  const [ours, bare] = [median(times.map(([one]) => one)), median(times.map(([, other]) => other))];
  return ratioAtMost(1.03, {
    name: 'processor time of 2,000 downloads of 256 kB with counting',
    ...{ ours: `${ours.toFixed(0)} ms`, baseline: `without ${bare.toFixed(0)} ms`, ratio: ours / bare },
  });
}

const countries = ['US', 'DE', 'GB', 'FR', 'BR', 'PL', 'XX', 'JP'];
const recordAt = (index: number): AnalyticsRecord => ({
  kind: (['view', 'view', 'download', 'playtime'] as const)[index % 4]!,
  at: new Date(until.getTime() - (index % 86_400) * 1000),
  amount: 1 + (index % 3),
  project_id: `P${(index * 7919) % projects}`,
  version_id: index % 4 > 1 ? `V${(index * 7919) % 9000}` : '',
  country: countries[(index * 31) % countries.length]!,
  loader: ['fabric', 'forge', 'neoforge', ''][(index >> 3) % 4]!,
  source: ['website', 'prism', 'other'][index % 3]!,
});

/** Batches of the counter against the driver's own insert of the same rows into a table alike. */
async function ingest(sql: Pool): Promise<Row> {
  const size = 4_000;
  const batches = Array.from({ length: 25 }, (_, batch) =>
    Array.from({ length: size }, (__, index) => recordAt(batch * size + index)),
  );
  await sql`select analytics_partitions('analytics_records', ${until}::date - 1, ${until}::date)`;
  await sql`create table bare_records (like analytics_records including defaults including indexes)`;
  let [ours, bare] = [0, 0];
  for (const batch of batches) {
    let start = performance.now();
    await sql.begin(async (tx) => await insertRecords(tx, batch));
    ours += performance.now() - start;
    start = performance.now();
    await sql`insert into bare_records ${sql(batch as never)}`;
    bare += performance.now() - start;
  }
  await sql`truncate analytics_records, analytics_changed`;
  const rate = (ms: number) => `${Math.round((batches.length * size) / ms).toLocaleString('en')}k/s`;
  return ratioAtLeast(0.5, {
    name: 'events stored in batches of 4,000',
    ...{ ours: rate(ours), baseline: `bare insert ${rate(bare)}`, ratio: bare / ours },
  });
}

/** A year of events is made in the database, summed up by the job, and compared with a count of the events. */
async function year(sql: Pool, rows: Row[]): Promise<void> {
  await sql`select analytics_partitions(parent, ${from}::date, ${until}::date) from unnest('{analytics_records,analytics_hours}'::text[]) parent`;
  for (let done = 0; done < events; done += 500_000)
    await sql`
      insert into analytics_records (at, amount, kind, project_id, version_id, country, loader, game_version, source)
      select ${from}::timestamptz + interval '1 second' * ((n * 7919::bigint) % 31536000), 1 + n % 3,
        (array['view', 'view', 'download', 'download', 'playtime'])[1 + n % 5], 'P' || floor(${projects} * power(random(), 3)),
        case when n % 5 > 1 then 'V' || n % 3 else '' end, (${countries}::text[])[1 + n % 8],
        (array['fabric', 'forge', 'neoforge', ''])[1 + n / 7 % 4], (array['1.21.1', '1.20.1', '26.1'])[1 + n / 11 % 3],
        (array['website', 'prism', 'other'])[1 + n % 3]
      from generate_series(${done}::bigint, ${Math.min(events, done + 500_000) - 1}::bigint) n`;
  await sql`analyze analytics_records`;
  await sql`insert into analytics_changed (hour) select distinct date_trunc('hour', at, 'UTC') from analytics_records`;
  const start = performance.now();
  while ((await rollUp(sql, until, keep)).hours > 0);
  const seconds = (performance.now() - start) / 1000;
  await sql`analyze analytics_days, analytics_totals`;
  const [sums] = await sql`
    select (select md5(string_agg(concat_ws(' ', kind, project_id, country, amount), ',' order by kind, project_id, country)) from (
        select kind, project_id, country, sum(amount) as amount from analytics_records group by 1, 2, 3) r)
      = (select md5(string_agg(concat_ws(' ', kind, project_id, country, amount), ',' order by kind, project_id, country)) from (
        select kind, project_id, country, sum(amount) as amount from analytics_days group by 1, 2, 3) d) as same,
      (select count(*) from analytics_days) as days, pg_total_relation_size('analytics_days') as day_bytes,
      (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'analytics_records'::regclass)::bigint as record_bytes,
      (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'analytics_hours'::regclass)::bigint as hour_bytes,
      pg_total_relation_size('analytics_totals') as total_bytes`;
  if (!sums!.same) throw new Error('The sums of days are not those of the events');
  const each = (bytes: number) => `${(bytes / events).toFixed(0)} bytes`;
  rows.push(
    informational(
      `${events.toLocaleString('en')} events of a year, summed up exactly`,
      `${seconds.toFixed(0)} s`,
    ),
    informational(
      'bytes of an event: record, hour, day, total',
      [sums!.record_bytes, sums!.hour_bytes, sums!.day_bytes, sums!.total_bytes].map(each).join(', '),
    ),
  );
}

/** The 95th percentile of charts of a year over the 15 largest projects against one indexed sum over the same rows. */
async function charts(sql: Pool): Promise<Row[]> {
  const ids = Array.from({ length: charted }, (_, index) => `P${index}`);
  const p95 = async (run: () => Promise<unknown>): Promise<number> => {
    const times = [];
    for (let i = 0; i < 40; i++) {
      const start = performance.now();
      await run();
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[37]!;
  };
  const query = { kind: 'download', project_ids: ids, from, until, slice_ms: day_ms } as const;
  const plain = () =>
    sql`select sum(amount) from analytics_totals where project_id = any(${ids}) and kind = 'download' and day >= ${from} and day < ${until}`;
  const cells = () =>
    sql`select sum(amount) from analytics_days where project_id = any(${ids}) and kind = 'download' and at >= ${from} and at < ${until}`;
  const row = async (name: string, ours: () => Promise<unknown>, bare: () => Promise<unknown>) => {
    const [mine, base] = [await p95(ours), await p95(bare)];
    return ratioAtMost(5, {
      name,
      ...{
        ours: `${mine.toFixed(1)} ms`,
        baseline: `one indexed sum ${base.toFixed(1)} ms`,
        ratio: mine / base,
      },
    });
  };
  const series =
    (by: 'project_id' | 'country', slice_ms = day_ms) =>
    async () =>
      await readSeries(sql, { ...query, slice_ms, by: [by] }, until, keep);
  return [
    await row('chart of a year by day, 15 projects (p95)', series('project_id'), plain),
    await row('chart of a year by day and country, 15 projects (p95)', series('country'), cells),
    await row('countries of a year, 15 projects (p95)', series('country', 365 * day_ms), cells),
  ];
}
