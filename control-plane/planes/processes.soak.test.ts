import { beforeEach, describe, expect, it } from 'vitest';
import { leaseOf } from '#db/hosting/nodes/read.ts';
import { testDatabase } from '#db/testing/database.ts';
import { expectComplete, goesOn } from '../testing/follower.ts';
import type { Machine } from '../testing/machine.ts';
import { planeProcesses, processes_timeout_ms, type TwoPlanes } from '../testing/plane-processes.ts';

/** Planes and agents as processes on one database: what is noticed by nothing but time. */
const database = testDatabase();
const { follow, machine, start, two } = planeProcesses(database);

const seconds = (since: number) => (performance.now() - since) / 1000;
const holderOf = async ({ node_id }: Machine) => (await leaseOf(database.sql, node_id))!;

describe('of two planes', () => {
  let [a, b] = [] as unknown as TwoPlanes['planes'];
  let first = {} as Machine;
  beforeEach(async () => {
    ({
      planes: [a, b],
      machines: [first],
    } = await two());
  }, processes_timeout_ms);

  it(
    'one is stopped and goes on later: what it held is no longer its own',
    async () => {
      const on_a = follow(first, a, b);
      const on_b = follow(first, b, a);
      await Promise.all([goesOn(on_a), goesOn(on_b)]);
      const { lease, holder } = await holderOf(first);
      a.child.kill('SIGSTOP');
      const stopped_at = performance.now();
      await expect.poll(() => first.agent.at(), { timeout: 15_000, interval: 20 }).toBe(b.url);
      await goesOn(on_b);
      console.log(
        `after SIGSTOP: agent and the viewer of the other plane went on within ${seconds(stopped_at).toFixed(1)} s`,
      );
      // typed into the stopped plane: it must never reach the agent twice, or without an answer that says so
      const typed = on_a.type('say once');
      await expect
        .poll(() => holderOf(first).then((now) => now.lease > lease && now.holder !== holder))
        .toBe(true);
      await expect
        .poll(async () => (await database.sql`select id from planes`).length, { timeout: 20_000 })
        .toBe(1);
      a.child.kill('SIGCONT');
      await goesOn(on_a);
      await goesOn(on_b);
      const answer = await typed;
      await new Promise((done) => setTimeout(done, 500));
      expect(first.agent.commands()).toEqual(answer?.ok ? ['say once'] : []);
      for (const one of [on_a, on_b]) expectComplete(one);
      expect(await a.readyz()).toBe(200);
      expect((await holderOf(first)).holder).not.toBe(holder);
      expect(first.agent.at()).toBe(b.url);
    },
    processes_timeout_ms,
  );

  it.each(['refuse', 'hang'] as const)(
    'one is cut off from Postgres (%s): it gives up and says so, once',
    async (how) => {
      const on_a = follow(first, a, b);
      await goesOn(on_a);
      a.door.cut(how);
      const cut_at = performance.now();
      await expect.poll(() => first.agent.at(), { timeout: 20_000, interval: 20 }).toBe(b.url);
      await expect.poll(() => a.readyz()).toBe(503);
      await goesOn(on_a);
      console.log(
        `cut off (${how}): agent and viewer went on at the other plane after ${seconds(cut_at).toFixed(1)} s`,
      );
      expect(on_a.url).toBe(b.url);
      expectComplete(on_a);
      const said = () => a.logged.filter(({ msg }) => msg.includes('gives up its leases'));
      expect(said()).toMatchObject([{ level: 'error' }]);
      a.door.mend();
      await expect.poll(() => a.readyz(), { timeout: 30_000 }).toBe(200);
      // and serves again
      const back = follow(first, a);
      await goesOn(back);
      expect(said()).toHaveLength(1);
    },
    processes_timeout_ms,
  );

  it(
    'both lose Postgres for a while: nobody could take over, so everything stays',
    async () => {
      const on_a = follow(first, a, b);
      const on_b = follow(first, b, a); // over the link
      await Promise.all([goesOn(on_a), goesOn(on_b)]);
      const before = await holderOf(first);
      for (const { door } of [a, b]) door.cut('refuse');
      const end = performance.now() + 11_000;
      while (performance.now() < end) await Promise.all([goesOn(on_a), goesOn(on_b)]);
      for (const { door } of [a, b]) door.mend();
      for (const plane of [a, b]) await expect.poll(() => plane.readyz(), { timeout: 30_000 }).toBe(200);
      await new Promise((done) => setTimeout(done, 8_000)); // whoever wanted to judge would have
      await Promise.all([goesOn(on_a), goesOn(on_b)]);
      expect(await holderOf(first)).toMatchObject({ lease: before.lease, holder: before.holder });
      expect([on_a.connects, on_b.connects]).toEqual([1, 1]);
      for (const one of [on_a, on_b]) expectComplete(one);
      expect(await on_b.type('say still')).toEqual({ ok: true });
    },
    processes_timeout_ms,
  );
});

describe('a plane that is cut off from Postgres before another one joins', () => {
  it(
    'hears of it from that one, and gives up to it',
    async () => {
      const alone = await start();
      const rented = await machine(alone);
      const { lease } = await holderOf(rented);
      // what it has begun ends with its connections: nothing is locked
      alone.door.cut('refuse');
      await start();
      const said = () => alone.logged.filter(({ msg }) => msg.includes('gives up its leases'));
      // it asks the other one after six seconds, and again after as many when that had not renewed yet
      await expect.poll(said, { timeout: 60_000 }).toHaveLength(1);
      await expect.poll(() => rented.agent.at()).toBe(null);
      await expect.poll(() => holderOf(rented)).toMatchObject({ holder: null, lease: lease + 1 });
    },
    processes_timeout_ms,
  );
});

describe('a plane whose clock is an hour off', () => {
  it(
    'judges by the time of the database, as the others do',
    async () => {
      const wrong = ['--import', './control-plane/testing/shifted-clock.ts'];
      const {
        planes: [ahead, right],
        machines: [first, second],
      } = await two(start({ SHIFT_MS: '3600000' }, wrong));
      expect(ahead.logged.map(({ msg }) => msg)).toContainEqual(
        expect.stringContaining('clock of this machine differs'),
      );
      const crosswise = [follow(first, right), follow(second, ahead)];
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
    processes_timeout_ms,
  );
});
