import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { findAuthorizedServer } from '../read.ts';
import { unpackHour } from './pack.ts';
import { type FigureRange, type Figures, figureNames, figureRanges, joinFigures } from './rules.ts';
import type { FiguresView } from './view.ts';

const hour_s = 3_600;
/** Hours that may not be rolled up yet: they are read from the minutes. */
const fresh_h = 3;

type Point = { at: number } & Figures;

/** Means of minutes since a moment, for each step; `at` is seconds since 1970. */
const fromMinutes = (db: Db, server_id: string, from_s: number, step_s: number): Promise<Point[]> =>
  db<Point[]>`
    select (floor(extract(epoch from at) / ${step_s}) * ${step_s})::bigint as at,
      avg(cpu)::real as cpu, max(cpu_most) as cpu_most, avg(ram_mb)::real as ram_mb, avg(disk_mb)::real as disk_mb,
      avg(received)::real as received, avg(sent)::real as sent, avg(tick_ms)::real as tick_ms,
      max(players)::int as players
    from server_minutes where server_id = ${server_id} and at >= ${new Date(from_s * 1000)}
    group by 1`;

async function fromHours(
  db: Db,
  server_id: string,
  { from_s, until_s, step_s }: { from_s: number; until_s: number; step_s: number },
): Promise<Point[]> {
  const rows = await db<{ hour: number; ten_minutes: Buffer }[]>`
    select hour, ten_minutes from server_hours
    where server_id = ${server_id} and hour >= ${Math.floor(from_s / hour_s)} and hour < ${until_s / hour_s}`;
  return rows.flatMap(({ hour, ten_minutes }) => {
    const places = unpackHour(ten_minutes).flatMap((figures, place) =>
      figures ? [{ at: hour * hour_s + place * 600, figures }] : [],
    );
    if (step_s < hour_s) return places.map(({ at, figures }) => ({ at, ...figures }));
    if (places.length === 0) return [];
    return [{ at: hour * hour_s, ...joinFigures(places.map(({ figures }) => figures)) }];
  });
}

const round = (value: number): number => Math.round(value * 100) / 100;

/**
 * What a server used over time. Seeing it is enough; refuses as `whyNotSee`. The last step is the newest one that is
 * over.
 */
export async function figuresOf(
  db: Db,
  actor: Actor,
  { server_id, range }: { server_id: string; range: FigureRange },
  now: Date,
): Promise<FiguresView> {
  const { view } = await findAuthorizedServer(db, actor, server_id, now);
  const { back_s, step_s } = figureRanges[range];
  const now_s = Math.floor(now.getTime() / 1000);
  const until_s = Math.floor(now_s / step_s) * step_s;
  const from_s = until_s - back_s;
  const fresh_s = range === 'day' ? from_s : (Math.floor(now_s / hour_s) - fresh_h) * hour_s;
  const points = [
    ...(range === 'day' ? [] : await fromHours(db, server_id, { from_s, until_s: fresh_s, step_s })),
    ...(await fromMinutes(db, server_id, Math.max(from_s, fresh_s), step_s)),
  ];
  const length = back_s / step_s;
  const series = Object.fromEntries(
    figureNames.map((name) => [name, Array<number | null>(length).fill(null)]),
  ) as FiguresView['series'];
  for (const point of points) {
    const place = (point.at - from_s) / step_s;
    if (place < 0 || place >= length) continue;
    for (const name of figureNames) {
      const value = point[name];
      series[name][place] = value === null ? null : round(value);
    }
  }
  const { cpu_millis, ram_mb, disk_mb } = view;
  return {
    ...{ range, from: new Date(from_s * 1000).toISOString(), step_s, series },
    limits: { cpu: cpu_millis / 10, ram_mb, disk_mb },
  };
}
