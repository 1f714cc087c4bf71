import { createHash } from 'node:crypto';
import { randomText } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { day } from './records.ts';

const day_ms = 86_400_000;
/** How long a network is known again. Source: api-behaviours §10. */
const window_ms = 6 * 3_600_000;

interface Networks {
  /** The text that stands for a network today. */
  today(network: string): string;
  /** The one of yesterday, as long as something may still be counted under it; else null. */
  yesterday: ((network: string) => string) | null;
}

/**
 * Makes what turns a network into a text that names it only today and in this installation: its key changes with each day in
 * UTC. Keys that no window needs any more are deleted, and then nobody can tell which network a text stood for. `purpose`
 * keeps the counters of different things apart.
 */
async function networksOf(tx: Db, purpose: string, now: Date): Promise<Networks> {
  const today = day(now.getTime());
  const yesterday = day(now.getTime() - day_ms);
  const find = async () =>
    new Map(
      (
        await tx<Array<{ day: string; key: string }>>`
          select day::text as day, key from analytics_keys where day in (${today}::date, ${yesterday}::date)`
      ).map((row) => [row.day, row.key]),
    );
  let keys = await find();
  if (!keys.has(today)) {
    await tx`insert into analytics_keys (day, key) values (${today}::date, ${randomText(32)}) on conflict do nothing`;
    await tx`delete from analytics_keys where day < ${yesterday}::date`;
    keys = await find();
  }
  const hasher = (key: string) => (network: string) =>
    createHash('sha256').update(`${key} ${purpose} ${network}`).digest('base64url').slice(0, 22);
  const old = keys.get(yesterday);
  const isEarly = now.getTime() - Date.parse(today) < window_ms;
  return { today: hasher(keys.get(today)!), yesterday: old && isEarly ? hasher(old) : null };
}

/** Something of a network about a project. */
interface Seen {
  network: string;
  project_id: string;
  /** How often; once if left out. */
  times?: number;
}

interface WindowRules {
  /** What is counted apart from everything else. */
  purpose: 'download' | 'view' | 'ad';
  /** How often one network counts for a project while its window is open. */
  most: number;
  /** Whether each one keeps the window open for another six hours; else it ends six hours after the first. */
  renews: boolean;
}

/** Counts what networks did in their windows of six hours; gives what counts. Each network and project stands in it once. */
export const countInWindows = async <S extends Seen>(
  tx: Db,
  seen: readonly S[],
  rules: WindowRules,
  now: Date,
): Promise<S[]> => [...(await countTimesInWindows(tx, seen, rules, now)).keys()];

/** As `countInWindows`, for what happened several times: gives how many of these count, without those of which none does. */
export async function countTimesInWindows<S extends Seen>(
  tx: Db,
  seen: readonly S[],
  { purpose, most, renews }: WindowRules,
  now: Date,
): Promise<Map<S, number>> {
  if (seen.length === 0) return new Map();
  const { today, yesterday } = await networksOf(tx, purpose, now);
  const olds = yesterday ? seen.map(({ network }) => yesterday(network)) : [];
  const open = new Set(
    olds.length === 0
      ? []
      : (
          await tx<Array<{ address: string; project_id: string }>>`
            select address, project_id from download_windows where address = any(${olds}) and until > ${now}`
        ).map(({ address, project_id }) => `${project_id} ${address}`),
  );
  const keyed = new Map(
    seen.map((one, index) => {
      const old = olds[index];
      const address = old && open.has(`${one.project_id} ${old}`) ? old : today(one.network);
      return [`${one.project_id} ${address}`, { one, address }];
    }),
  );
  const keys = [...keyed.values()].map(({ one: { project_id, times = 1 }, address }) => ({
    ...{ address, project_id },
    times: Math.min(times, most),
  }));
  const counted = await tx<Array<{ address: string; project_id: string; counted: number }>>`
    insert into download_windows as w (address, project_id, counted, until)
    select address, project_id, times, ${now}::timestamptz + interval '6 hours'
    from jsonb_to_recordset(${tx.json(keys)}) as s (address text, project_id text, times int) order by address, project_id
    on conflict (address, project_id) do update
      set counted = case when w.until <= ${now} then excluded.counted else w.counted + excluded.counted end,
        until = case when ${renews} or w.until <= ${now} then excluded.until else w.until end
      where w.until <= ${now} or w.counted < ${most}
    returning w.address, w.project_id, w.counted`;
  return new Map(
    counted.map(({ project_id, address, counted: all }) => {
      const { one } = keyed.get(`${project_id} ${address}`)!;
      const times = Math.min(one.times ?? 1, most);
      return [one, times - Math.max(0, all - most)];
    }),
  );
}
