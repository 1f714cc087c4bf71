import { describe, expect, it } from 'vitest';
import { setRetention } from '#db/hosting/servers/backups/schedule.ts';
import type { RetentionRules } from '#db/hosting/servers/backups/view.ts';
import { suspendServer } from '#db/hosting/servers/write.ts';
import { actorFor } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import {
  backupsOf,
  becomes,
  begun,
  ended,
  eventsOf,
  madeBackup,
  ofKind,
  stored,
} from '../testing/backups.ts';
import { type RentedServer, rentServer, testControlPlane } from '../testing/plane.ts';
import { rotateBackupsJob, scheduleBackups } from './backups.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const daily: RetentionRules = { every_hours: 24, last: 2, hourly: 0, daily: 0, weekly: 0 };

const context = () => {
  const { settings, now } = plane.plane.context;
  return { sql: database.sql, settings, now } as never;
};
const retain = ({ owner, id }: RentedServer, retention: RetentionRules, now = new Date()) =>
  database.sql.begin((tx) => setRetention(tx, actorFor(owner), { server_id: id, retention }, now));
const dueOf = async ({ id }: RentedServer) =>
  (
    await database.sql<{ due: string | null }[]>`select due from server_backup_rules where server_id = ${id}`
  )[0]?.due;
const makeDue = ({ id }: RentedServer) =>
  database.sql`update server_backup_rules set due = now() - interval '1 second' where server_id = ${id}`;
/** A server whose scheduled backup is due. */
async function due(retention = daily): Promise<RentedServer> {
  const renter = await rentServer(database.sql, plane.url);
  await retain(renter, retention);
  await makeDue(renter);
  return renter;
}
const run = () => scheduleBackups.run(context(), {});

describe('a scheduled backup', () => {
  it('is made when it is due, once, by however many planes', async () => {
    const renter = await due();
    const results = await Promise.all([run(), run()]);
    expect(results.filter((one) => one?.begun === 1)).toHaveLength(1);
    const operation = await ofKind(renter, 'backup_create');
    expect(await backupsOf(renter)).toMatchObject([
      { automated: true, reason: 'schedule', name: 'Backup #1' },
    ]);
    await ended(renter, operation, 'done', madeBackup());
    const next = new Date((await dueOf(renter))!).getTime() - Date.now();
    expect(next).toBeGreaterThan(23 * 3_600_000);
    expect(next).toBeLessThanOrEqual(24.5 * 3_600_000);
    expect(await run()).toBeUndefined();
  });

  it('is missed while the node is away, and an event says so', async () => {
    const renter = await due();
    await database.sql`update nodes set status = 'offline' where id = ${renter.node.id}`;
    expect(await run()).toMatchObject({ begun: 0, missed: 1 });
    expect(await backupsOf(renter)).toEqual([]);
    expect(await eventsOf(database.sql, renter.id)).toEqual([
      'server.backup_rules_changed',
      'server.backup_missed',
    ]);
    expect(new Date((await dueOf(renter))!).getTime()).toBeGreaterThan(Date.now());
  });

  it('waits while another one is in progress, and needs room', async () => {
    const renter = await due();
    const { id } = await begun(renter);
    expect(await run()).toMatchObject({ later: 1 });
    const soon = new Date((await dueOf(renter))!).getTime() - Date.now();
    expect(soon).toBeLessThanOrEqual(5 * 60_000);
    await ended(renter, await ofKind(renter, 'backup_create'), 'done', madeBackup());
    await becomes(renter, id, { state: 'done' });
    await stored(database.sql, renter.id, 14);
    await makeDue(renter);
    expect(await run()).toMatchObject({ missed: 1 });
    await database.sql`update server_backups set reason = 'schedule' where id = ${id}`;
    await makeDue(renter);
    expect(await run()).toMatchObject({ begun: 1 });
    await becomes(renter, id, { state: 'deleting' });
  });

  it('is not made of a suspended server, and no longer when it is switched off', async () => {
    const renter = await due();
    await database.sql.begin((tx) => suspendServer(tx, renter.id, 'payment_failed'));
    expect(await run()).toMatchObject({ none: 1, begun: 0, missed: 0 });
    await retain(renter, { ...daily, every_hours: null }).catch(() => {});
    const other = await due();
    await retain(other, { ...daily, every_hours: null });
    expect(await dueOf(other)).toBeNull();
    expect(await run()).toBeUndefined();
  });

  it('keeps its time when only what stays is changed', async () => {
    const renter = await due();
    const before = await dueOf(renter);
    await retain(renter, { ...daily, last: 5 });
    expect(await dueOf(renter)).toBe(before);
    await retain(renter, { ...daily, every_hours: 1 });
    expect(await dueOf(renter)).not.toBe(before);
  });
});

describe('rotation', () => {
  it('deletes what the rules do not keep, after each automated backup and by its job', async () => {
    const renter = await due();
    const old = await stored(database.sql, renter.id, 3, { reason: 'schedule', name: 'Auto' });
    const [locked] = await stored(database.sql, renter.id, 1, {
      reason: 'schedule',
      locked: true,
      name: 'Kept',
    });
    const [manual] = await stored(database.sql, renter.id, 1);
    await run();
    await ended(renter, await ofKind(renter, 'backup_create'), 'done', madeBackup());
    const states = async () =>
      Object.fromEntries((await backupsOf(renter)).map(({ id, state }) => [id, state]));
    const [newest] = (await backupsOf(renter)).map(({ id }) => id);
    // the newest two: the new one and one of an hour ago, of which one is locked and one is not
    await expect.poll(async () => Object.values(await states()).includes('deleting')).toBe(true);
    const shown = await states();
    expect(shown).toMatchObject({
      [newest!]: 'done',
      [locked!]: 'done',
      [manual!]: 'done',
      [old[0]!]: 'deleting',
    });
    expect(shown[old[1]!]).toBe('deleting');

    await retain(renter, { ...daily, last: 1 });
    await rotateBackupsJob.run(context(), {});
    const left = Object.entries(await states()).filter(([, state]) => state === 'done');
    expect(left.map(([id]) => id).sort()).toEqual([newest!, locked!, manual!].sort());
  });
});
