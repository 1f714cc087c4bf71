import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { leaseOf } from '#db/nodes/read.ts';
import { testDatabase } from '#db/testing/database.ts';
import { closeClients } from '../testing/clients.ts';
import { expectComplete, Follower, goesOn } from '../testing/follower.ts';
import { type Machine, machine as newMachine } from '../testing/machine.ts';
import { type PlaneProcess, planeProcess } from '../testing/plane-process.ts';

/** Two planes and two agents, each a process of its own, on one database. */
const database = testDatabase();
const slow = 120_000;
let data: string;
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'cairn-planes-'));
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

let planes: PlaneProcess[] = [];
let machines: Machine[] = [];
const followers: Follower[] = [];
const start = (env: Record<string, string> = {}, args: string[] = []) =>
  planeProcess({ database, data, env, args });
afterEach(async () => {
  for (const follower of followers.splice(0)) follower.close();
  closeClients();
  for (const machine of machines) machine.agent.end();
  await Promise.all(planes.map((plane) => plane.end()));
  // the next test must not take them for planes that may still be alive
  await database.sql`delete from planes`;
});

const machine = (urls: string[]) => newMachine(database.sql, urls);

const follow = (of: Machine, urls: string[]): Follower => {
  const follower = new Follower(urls, of);
  followers.push(follower);
  return follower;
};
const seconds = (since: number) => (performance.now() - since) / 1000;
const holderOf = async ({ node_id }: Machine) => (await leaseOf(database.sql, node_id))!;

describe('of two planes', () => {
  let [a, b]: PlaneProcess[] = [];
  let [first, second]: Machine[] = [];
  beforeEach(async () => {
    planes = await Promise.all([start(), start()]);
    [a, b] = planes as [PlaneProcess, PlaneProcess];
    machines = await Promise.all([machine([a.url, b.url]), machine([b.url, a.url])]);
    [first, second] = machines as [Machine, Machine];
  }, slow);

  it(
    'one is killed: agents and viewers go to the other within 10 s, and no line is lost or doubled',
    async () => {
      const on_a = follow(first!, [a!.url, b!.url]);
      const on_b = follow(first!, [b!.url, a!.url]);
      const other = follow(second!, [a!.url, b!.url]); // its agent is with b
      await Promise.all([on_a, on_b, other].map((one) => goesOn(one)));
      const killed_at = performance.now();
      await a!.end();
      await expect.poll(() => first!.agent.at(), { timeout: 10_000, interval: 20 }).toBe(b!.url);
      await Promise.all([on_a, on_b, other].map((one) => goesOn(one, 20, 10_000)));
      console.log(`after SIGKILL: agent and viewers went on within ${seconds(killed_at).toFixed(1)} s`);
      expect(seconds(killed_at)).toBeLessThan(10);
      expect(await on_a.type('say after')).toEqual({ ok: true });
      await expect.poll(() => first!.agent.commands()).toEqual(['say after']);
      for (const one of [on_a, on_b, other]) expectComplete(one);
      expect([on_a.url, on_b.connects]).toEqual([b!.url, 1]);
    },
    slow,
  );

  it(
    'one is stopped and goes on later: what it held is no longer its own',
    async () => {
      const on_a = follow(first!, [a!.url, b!.url]);
      const on_b = follow(first!, [b!.url, a!.url]);
      await Promise.all([goesOn(on_a), goesOn(on_b)]);
      const { lease, holder } = await holderOf(first!);
      a!.child.kill('SIGSTOP');
      const stopped_at = performance.now();
      await expect.poll(() => first!.agent.at(), { timeout: 15_000, interval: 20 }).toBe(b!.url);
      await goesOn(on_b);
      console.log(
        `after SIGSTOP: agent and the viewer of the other plane went on within ${seconds(stopped_at).toFixed(1)} s`,
      );
      // typed into the stopped plane: it must never reach the agent twice, or without an answer that says so
      const typed = on_a.type('say once');
      await expect
        .poll(() => holderOf(first!).then((now) => now.lease > lease && now.holder !== holder))
        .toBe(true);
      await expect
        .poll(async () => (await database.sql`select id from planes`).length, { timeout: 20_000 })
        .toBe(1);
      a!.child.kill('SIGCONT');
      await goesOn(on_a);
      await goesOn(on_b);
      const answer = await typed;
      await new Promise((done) => setTimeout(done, 500));
      expect(first!.agent.commands()).toEqual(answer?.ok ? ['say once'] : []);
      for (const one of [on_a, on_b]) expectComplete(one);
      expect(await a!.readyz()).toBe(200);
      expect((await holderOf(first!)).holder).not.toBe(holder);
      expect(first!.agent.at()).toBe(b!.url);
    },
    slow,
  );

  it.each(['refuse', 'hang'] as const)(
    'one is cut off from Postgres (%s): it gives up and says so, once',
    async (how) => {
      const on_a = follow(first!, [a!.url, b!.url]);
      await goesOn(on_a);
      a!.door.cut(how);
      const cut_at = performance.now();
      await expect.poll(() => first!.agent.at(), { timeout: 20_000, interval: 20 }).toBe(b!.url);
      await expect.poll(() => a!.readyz()).toBe(503);
      await goesOn(on_a);
      console.log(
        `cut off (${how}): agent and viewer went on at the other plane after ${seconds(cut_at).toFixed(1)} s`,
      );
      expect(on_a.url).toBe(b!.url);
      expectComplete(on_a);
      const said = () => a!.logged.filter(({ msg }) => msg.includes('gives up its leases'));
      expect(said()).toMatchObject([{ level: 'error' }]);
      a!.door.mend();
      await expect.poll(() => a!.readyz(), { timeout: 30_000 }).toBe(200);
      // and serves again
      const back = follow(first!, [a!.url]);
      await goesOn(back);
      expect(said()).toHaveLength(1);
    },
    slow,
  );

  it(
    'both lose Postgres for a while: nobody could take over, so everything stays',
    async () => {
      const on_a = follow(first!, [a!.url, b!.url]);
      const on_b = follow(first!, [b!.url, a!.url]); // over the link
      await Promise.all([goesOn(on_a), goesOn(on_b)]);
      const before = await holderOf(first!);
      for (const { door } of planes) door.cut('refuse');
      const end = performance.now() + 11_000;
      while (performance.now() < end) await Promise.all([goesOn(on_a), goesOn(on_b)]);
      for (const { door } of planes) door.mend();
      for (const plane of planes) await expect.poll(() => plane.readyz(), { timeout: 30_000 }).toBe(200);
      await new Promise((done) => setTimeout(done, 8_000)); // whoever wanted to judge would have
      await Promise.all([goesOn(on_a), goesOn(on_b)]);
      expect(await holderOf(first!)).toMatchObject({ lease: before.lease, holder: before.holder });
      expect([on_a.connects, on_b.connects]).toEqual([1, 1]);
      for (const one of [on_a, on_b]) expectComplete(one);
      expect(await on_b.type('say still')).toEqual({ ok: true });
    },
    slow,
  );
});

describe('a plane that is cut off from Postgres before another one joins', () => {
  it(
    'hears of it from that one, and gives up to it',
    async () => {
      const alone = await start();
      planes = [alone];
      const rented = await machine([alone.url]);
      machines = [rented];
      const { lease } = await holderOf(rented);
      // what it has begun ends with its connections: nothing is locked
      alone.door.cut('refuse');
      planes.push(await start());
      const said = () => alone.logged.filter(({ msg }) => msg.includes('gives up its leases'));
      // it asks the other one after six seconds, and again after as many when that had not renewed yet
      await expect.poll(said, { timeout: 60_000 }).toHaveLength(1);
      await expect.poll(() => rented.agent.at()).toBe(null);
      await expect.poll(() => holderOf(rented)).toMatchObject({ holder: null, lease: lease + 1 });
    },
    slow,
  );
});

describe('a plane whose clock is an hour off', () => {
  it(
    'judges by the time of the database, as the others do',
    async () => {
      const wrong = ['--import', './control-plane/testing/shifted-clock.ts'];
      planes = await Promise.all([start({ SHIFT_MS: '3600000' }, wrong), start()]);
      const [ahead, right] = planes as [PlaneProcess, PlaneProcess];
      machines = await Promise.all([machine([ahead.url, right.url]), machine([right.url, ahead.url])]);
      const [first, second] = machines as [Machine, Machine];
      expect(ahead.logged.map(({ msg }) => msg)).toContainEqual(
        expect.stringContaining('clock of this machine differs'),
      );
      const crosswise = [follow(first, [right.url]), follow(second, [ahead.url])];
      for (const one of crosswise) await goesOn(one);
      for (const one of crosswise) expect(await one.type('say hello')).toEqual({ ok: true });
      const { last_seen } = await holderOf(first);
      expect(Math.abs(Date.parse(last_seen!) - Date.now())).toBeLessThan(20_000);
      // longer than any plane may be silent: nobody takes the other one for dead
      await new Promise((done) => setTimeout(done, 9_000));
      const rows =
        await database.sql`select abs(extract(epoch from last_seen - now()))::int as age from planes`;
      expect(rows.map(({ age }) => age < 6)).toEqual([true, true]);
      for (const one of crosswise) expectComplete(one);
      await ahead.end();
      await expect.poll(() => first.agent.at(), { timeout: 10_000 }).toBe(right.url);
    },
    slow,
  );
});
