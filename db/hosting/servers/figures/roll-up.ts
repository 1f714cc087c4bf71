import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import { packHour, ten_minutes_of_hour } from './pack.ts';
import { type Figures, minuteSlot, retention } from './rules.ts';

const hour_ms = 3_600_000;
/** Minutes that arrive this late still count: planes keep what they cannot store for less. */
const late_ms = 2 * hour_ms;
/** Servers whose hours are packed at once. */
const batch = 500;

type Row = { server_id: string; hour: number; place: number } & Figures;

/** The mean of each ten-minutes of these servers between two moments. */
const tenMinutes = (db: Db, servers: readonly string[], from: Date, until: Date): Promise<Row[]> =>
  db<Row[]>`
    select server_id, floor(extract(epoch from at) / 3600)::int as hour,
      (floor(extract(epoch from at) / 600)::bigint % ${ten_minutes_of_hour})::int as place,
      avg(cpu)::real as cpu, max(cpu_most) as cpu_most, avg(ram_mb)::real as ram_mb, avg(disk_mb)::real as disk_mb,
      avg(received)::real as received, avg(sent)::real as sent, avg(tick_ms)::real as tick_ms,
      max(players)::int as players
    from server_minutes
    where server_id = any(${servers}) and at >= ${from} and at < ${until}
    group by 1, 2, 3`;

async function storeHours(db: Db, rows: readonly Row[]): Promise<number> {
  const hours = new Map<string, { server_id: string; hour: number; ten_minutes: (Figures | null)[] }>();
  for (const { server_id, hour, place, ...figures } of rows) {
    const key = `${server_id} ${hour}`;
    const found = hours.get(key) ?? {
      ...{ server_id, hour },
      ten_minutes: Array<Figures | null>(ten_minutes_of_hour).fill(null),
    };
    found.ten_minutes[place] = figures;
    hours.set(key, found);
  }
  if (hours.size === 0) return 0;
  const all = [...hours.values()];
  const { count } = await db`
    insert into server_hours as h (server_id, hour, ten_minutes)
    select n.server_id, n.hour, decode(n.bytes, 'hex') from unnest(
      ${all.map(({ server_id }) => server_id)}::text[], ${all.map(({ hour }) => hour)}::int[],
      ${all.map(({ ten_minutes }) => packHour(ten_minutes).toString('hex'))}::text[]) as n (server_id, hour, bytes)
    join servers s on s.id = n.server_id
    on conflict (server_id, hour) do update set ten_minutes = excluded.ten_minutes
    where h.ten_minutes <> excluded.ten_minutes`;
  return count;
}

/**
 * Rolls minutes up into ten-minutes, an hour in each row: every hour that is over since the last time, and two before it,
 * whose late minutes count by that. Running twice changes nothing. Gives how many hours are new or changed.
 */
export async function rollUpFigures(sql: Pool, now: Date): Promise<number> {
  const until = new Date(Math.floor(now.getTime() / hour_ms) * hour_ms);
  const [rolled] = await sql<{ until: string }[]>`select until from server_figures_rolled`;
  const last = Math.min(until.getTime(), rolled ? new Date(rolled.until).getTime() : 0);
  const oldest = until.getTime() - retention.minutes_h * hour_ms;
  const from = new Date(Math.max(oldest, last - late_ms));
  let stored = 0;
  for (let after = ''; ; ) {
    const servers = await sql<{ id: string }[]>`
      select id from servers where id > ${after} order by id limit ${batch}`;
    if (servers.length === 0) break;
    const ids = servers.map(({ id }) => id);
    stored += await storeHours(sql, await tenMinutes(sql, ids, from, until));
    after = ids.at(-1)!;
  }
  await sql`
    insert into server_figures_rolled (until) values (${until})
    on conflict (only_one) do update set until = greatest(server_figures_rolled.until, excluded.until)`;
  return stored;
}

/**
 * Removes minutes after a day and hours after 30. The day before yesterday is emptied as a whole, unless something newer is
 * in its partition. Gives how many hours were removed.
 */
export async function removeOldFigures(sql: Pool, now: Date): Promise<number> {
  const unused = minuteSlot(now.getTime() + 86_400_000);
  const oldest = new Date(now.getTime() - retention.minutes_h * hour_ms);
  const partition = sql(`server_minutes_${unused}`);
  const [{ holds, needed }] = await sql<[{ holds: boolean; needed: boolean }]>`
    select exists (select from ${partition}) as holds,
      exists (select from ${partition} where at >= ${oldest}) as needed`;
  if (holds && !needed)
    await sql.begin(async (tx) => {
      // whoever reads a chart keeps it for a moment: the next run tries again
      await tx`set local lock_timeout = '2s'`;
      await tx`truncate ${partition}`;
    });
  const before = Math.floor(now.getTime() / hour_ms) - retention.hours_d * 24;
  const { count } = await sql`delete from server_hours where hour < ${before}`;
  return count;
}
