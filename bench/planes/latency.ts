import { setTimeout } from 'node:timers/promises';
import { informational, type Row, ratioAtMost } from '../report.ts';
import { inWords, timesOf } from '../search/timing.ts';
import type { Ground } from './ground.ts';
import type { Viewer } from './viewer.ts';
import { closeAll, openViewers } from './watch.ts';

const rounds = 300;
const warm_up = 30;
/** Between two lines, so that each is measured alone. */
const rest_ms = 15;
/** A line that has not come by then is lost. */
const limit_ms = 10_000;

/** Prints one line on a server and gives the milliseconds until it came to each of these viewers. */
async function oneLine({ print }: Ground, server_id: string, viewers: readonly Viewer[]): Promise<number[]> {
  const taken: number[] = [];
  const all = new Promise<void>((done) => {
    for (const viewer of viewers)
      viewer.onUpdate = (text) => {
        const now = process.hrtime.bigint();
        const printed = /"text":"(\d+) line/.exec(text)![1]!;
        taken.push(Number(now - BigInt(printed)) / 1e6);
        if (taken.length === viewers.length) done();
      };
  });
  print({ server_id, count: 1 });
  await Promise.race([all, setTimeout(limit_ms)]);
  if (taken.length < viewers.length) throw new Error(`A line came to ${taken.length} of ${viewers.length} viewers.`);
  return taken;
}

/** A line to 500 viewers of one plane, and to 50 of it in turns. */
export async function measureCrowd(ground: Ground): Promise<Row> {
  const url = ground.planes[0].url;
  const [few_id, many_id] = ground.servers as [string, string];
  const few = await openViewers(ground, { url, server_id: few_id, count: 50 });
  const many = await openViewers(ground, { url, server_id: many_id, count: 500, skip: 3 });
  const times = { few: [] as number[], many: [] as number[] };
  for (let round = -warm_up; round < rounds; round++) {
    const [a, b] = [await oneLine(ground, few_id, few), (await setTimeout(rest_ms), await oneLine(ground, many_id, many))];
    await setTimeout(rest_ms);
    if (round < 0) continue;
    times.few.push(...a);
    times.many.push(...b);
  }
  await closeAll([...few, ...many]);
  const [ours, baseline] = [timesOf(times.many), timesOf(times.few)];
  return ratioAtMost(2, {
    name: 'a console line to 500 viewers of one plane, p99 (to 50)',
    ratio: ours.p99 / baseline.p99,
    ours: inWords(ours),
    baseline: inWords(baseline),
  });
}
