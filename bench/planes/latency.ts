import { setTimeout } from 'node:timers/promises';
import { informational, type Row, ratioAtMost } from '../report.ts';
import { inWords, timesOf } from '../search/timing.ts';
import { openBareCrowd } from './bare-crowd.ts';
import type { Installation } from './installation.ts';
import type { Viewer } from './viewer.ts';
import { closeAll, openViewers } from './watch.ts';

const rounds = 300;
/** Before them, so that no code runs for the first time. */
const warm_up = 30;
/** Between two lines, so that each is measured alone. */
const rest_ms = 15;
/** A socket may send ten commands a second. */
const pace_ms = 110;
/** A line that has not come by then is lost. */
const limit_ms = 10_000;

/** Measures in turns, so that other load affects all: the times of each by its name, without those of the warm-up. */
async function inTurns<Name extends string>(
  measures: Record<Name, () => Promise<number[]>>,
  pause_ms = rest_ms,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = -warm_up; round < rounds; round++)
    for (const name of names) {
      const taken = await measures[name]();
      if (round >= 0) for (const ms of taken) times[name].push(ms);
      await setTimeout(pause_ms);
    }
  return times;
}

/** Prints one line on a server and gives the milliseconds until it came to each of these viewers. */
async function lineTo(
  { print }: Installation,
  server_id: string,
  viewers: readonly Viewer[],
): Promise<number[]> {
  const taken: number[] = [];
  const all = new Promise<void>((done) => {
    for (const viewer of viewers)
      viewer.onUpdate = (text) => {
        const now = process.hrtime.bigint();
        const printed = /"text":"(\d+) line/.exec(text)![1]!;
        if (taken.push(Number(now - BigInt(printed)) / 1e6) === viewers.length) done();
      };
  });
  print({ server_id, count: 1 });
  await Promise.race([all, setTimeout(limit_ms)]);
  if (taken.length < viewers.length)
    throw new Error(`A line came to ${taken.length} of ${viewers.length} viewers.`);
  return taken;
}

/** A line to 500 viewers of one plane and to 50 of it; and the same bytes from a bare server to as many sockets. */
export async function measureCrowd(installation: Installation): Promise<Row[]> {
  const url = installation.planes[0].url;
  const [few_id, many_id] = installation.servers as [string, string];
  const few = await openViewers(installation, { url, server_id: few_id, count: 50 });
  const many = await openViewers(installation, { url, server_id: many_id, count: 500, skip: 3 });
  const bare = await openBareCrowd(500);
  const times = await inTurns({
    few: () => lineTo(installation, few_id, few),
    many: () => lineTo(installation, many_id, many),
    bare_few: () => bare.line(50),
    bare_many: () => bare.line(500),
  });
  bare.close();
  await closeAll([...few, ...many]);
  const [ours, baseline] = [timesOf(times.many), timesOf(times.few)];
  const [bare_ours, bare_baseline] = [timesOf(times.bare_many), timesOf(times.bare_few)];
  return [
    ratioAtMost(2, {
      name: 'a console line to 500 viewers of one plane, p99 (to 50)',
      ratio: ours.p99 / baseline.p99,
      ours: inWords(ours),
      baseline: inWords(baseline),
    }),
    {
      ...informational('the same bytes from a bare server to 500 sockets, p99 (to 50)', inWords(bare_ours)),
      baseline: inWords(bare_baseline),
      ratio: Number((bare_ours.p99 / bare_baseline.p99).toPrecision(3)),
    },
  ];
}

/** Types a command and gives the milliseconds until its line came. */
async function echo(viewer: Viewer, server_id: string, mark: string): Promise<number[]> {
  const heard = new Promise<number>((done) => {
    viewer.onUpdate = (text) => text.includes(mark) && done(performance.now());
  });
  const began = performance.now();
  await viewer.request('server.command', { server_id, text: `say ${mark}` });
  const came = await Promise.race([heard, setTimeout(limit_ms)]);
  if (came === undefined) throw new Error('A command had no line.');
  return [came - began];
}

/**
 * A viewer at the plane that has not the agent, and one of another server at the plane that has it: lines, and commands to
 * their lines.
 */
export async function measureElsewhere(installation: Installation): Promise<Row[]> {
  const [own_id, other_id] = installation.servers as [string, string];
  const [own] = await openViewers(installation, { url: installation.sites[0], server_id: own_id, count: 1 });
  const [other] = await openViewers(installation, {
    url: installation.sites[1],
    server_id: other_id,
    count: 1,
  });
  let number = 0;
  const times = await inTurns(
    {
      own: () => lineTo(installation, own_id, [own!]),
      other: () => lineTo(installation, other_id, [other!]),
      own_echo: () => echo(own!, own_id, `own-${++number}.`),
      other_echo: () => echo(other!, other_id, `other-${++number}.`),
    },
    pace_ms / 4,
  );
  await closeAll([own!, other!]);
  const row = (name: string, ours: number[], baseline: number[]): Row =>
    ratioAtMost(1.5, {
      name: `${name} at the plane without the agent, p50 (at the one with it)`,
      ratio: timesOf(ours).p50 / timesOf(baseline).p50,
      ours: inWords(timesOf(ours)),
      baseline: inWords(timesOf(baseline)),
    });
  return [
    row('a console command to its line', times.other_echo, times.own_echo),
    row('a console line to its viewer', times.other, times.own),
  ];
}
