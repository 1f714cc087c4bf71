import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leaseOf } from '#db/hosting/nodes/read.ts';
import { acquireLease, lockLease } from '#db/hosting/nodes/write.ts';
import { livePlanes } from '#db/hosting/planes/read.ts';
import { commonVersion } from '#db/hosting/planes/rules.ts';
import { testDatabase } from '#db/testing/database.ts';
import { newNode, startControlPlane } from '../testing/plane.ts';
import { Membership, type MembershipEffects } from './membership.ts';

const database = testDatabase();

const nothing: MembershipEffects = {
  announce: async () => [],
  onPlanes: () => {},
  onLost: () => {},
  onReturned: async () => {},
  isAnotherRenewing: async () => true,
};
function member(effects: Partial<MembershipEffects> = {}): Membership {
  const made = new Membership({
    ...{ sql: database.sql, log: pino({ level: 'silent' }), id: randomUUID(), release: '1.0.0' },
    ...{ protocol: { min: 1, max: 2 }, load: () => ({ agents: 3, viewers: 4 }) },
    effects: { ...nothing, ...effects },
  });
  onTestFinished(() => made.close());
  return made;
}
const live = async () => (await livePlanes(database.sql)).map(({ id }) => id);
/** Makes a plane look as if it had sent nothing for `seconds`. */
const silence = (id: string, seconds: number) =>
  database.sql`update planes set last_seen = now() - ${`${seconds} seconds`}::interval where id = ${id}`;

describe('a control plane', () => {
  it('is listed with address and load while it lives, and not after it ended', async () => {
    const one = member();
    expect(one.isHeld()).toBe(false);
    await one.join('http://127.0.0.1:4001');
    expect(one.isHeld()).toBe(true);
    const two = member();
    await two.join('unix:/run/two.sock');
    expect(two.others.map(({ id, address }) => [id, address])).toEqual([[one.id, 'http://127.0.0.1:4001']]);
    const [row] = await livePlanes(database.sql, one.id);
    expect(row).toMatchObject({ agents: 3, viewers: 4, release: '1.0.0', protocol_min: 1, protocol_max: 2 });
    await expect.poll(() => one.others.map(({ id }) => id), { timeout: 10_000 }).toEqual([two.id]);
    expect(await one.addressOf(two.id)).toBe('unix:/run/two.sock');
    await two.close();
    expect(two.isHeld()).toBe(false);
    expect(await live()).toEqual([one.id]);
    await expect.poll(() => one.addressOf(two.id), { timeout: 10_000 }).toBe(null);
  });

  it('tells those that did not respond again, until they know of it', async () => {
    const first = member();
    await first.join('http://127.0.0.1:4001');
    const told: string[][] = [];
    const second = member({
      announce: async (planes) => {
        told.push(planes.map(({ id }) => id));
        return told.length < 3 ? planes : [];
      },
    });
    await second.join('http://127.0.0.1:4002');
    await expect.poll(() => told.length, { timeout: 20_000 }).toBe(3);
    await expect.poll(() => first.others.map(({ id }) => id)).toEqual([second.id]);
    expect(told).toEqual([[first.id], [first.id], [first.id]]);
  });

  it('that is silent for six seconds is removed by another one, and its leases end', async () => {
    const { sql } = database;
    const dead = member();
    await dead.join('http://127.0.0.1:4002');
    const node = await newNode(sql, 'here');
    const boot = { boot_id: 'b', now: new Date() };
    const lease = await acquireLease(sql, node.id, { holder: dead.id, ...boot });
    await dead.close(); // its process: it sends no heartbeats any more
    await sql`insert into planes (id, address, host, release, protocol_min, protocol_max)
      values (${dead.id}, 'http://127.0.0.1:4002', 'h', '1', 1, 1)`;
    const other = member();
    await silence(dead.id, 5);
    await other.join('http://127.0.0.1:4003');
    expect(await leaseOf(sql, node.id)).toMatchObject({ lease, holder: dead.id });
    await silence(dead.id, 7);
    // only one that was itself alive for six seconds judges
    await expect.poll(() => leaseOf(sql, node.id), { timeout: 20_000 }).toMatchObject({ holder: null });
    expect(await live()).toEqual([other.id]);
    await expect(sql.begin((tx) => lockLease(tx, node.id, lease))).rejects.toThrow('Another agent');
  });

  it('comes back after Postgres lost the table', async () => {
    const one = member();
    await one.join('http://127.0.0.1:4004');
    await database.sql`truncate planes`;
    await expect.poll(live, { timeout: 10_000 }).toEqual([one.id]);
  });

  it('is a member with its process, and leaves when it closes', async () => {
    const plane = await startControlPlane(database.sql);
    const { id } = plane.plane.context;
    expect(await live()).toContain(id);
    await plane.close();
    expect(await live()).not.toContain(id);
  });
});

describe('versions of a protocol', () => {
  it('are agreed on where both sides speak one', () => {
    expect(commonVersion({ min: 1, max: 3 }, { min: 2, max: 5 })).toBe(3);
    expect(commonVersion({ min: 2, max: 2 }, { min: 1, max: 2 })).toBe(2);
    expect(commonVersion({ min: 1, max: 1 }, { min: 2, max: 3 })).toBe(null);
  });
});
