import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { PgSubscription } from './pg-subscription.ts';

const database = testDatabase();
const log = pino({ level: 'silent' });
const opened: PgSubscription[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

function subscribe(name: string, work?: () => Promise<never>) {
  const received: string[] = [];
  const subscription = new PgSubscription(database.sql, {
    ...{ name, log, channels: ['one', 'two'], ...(work && { work }) },
    onChange: (channel, payload) => received.push(`${channel} ${payload}`),
    onReconnect: () => received.push('connected'),
    onDisconnect: () => received.push('disconnected'),
  });
  opened.push(subscription);
  return { subscription, received };
}
const notify = (channel: string, payload: string) => database.sql.notify(channel, payload);

describe('a Postgres subscription', () => {
  it('receives notifications of all its channels, and reports when it was disconnected', async () => {
    const { subscription, received } = subscribe('away');
    await subscription.ready;
    expect(subscription.isConnected).toBe(true);
    await notify('one', 'a');
    await notify('two', 'b');
    await notify('three', 'c');
    await expect.poll(() => received).toEqual(['connected', 'one a', 'two b']);
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cairn away'`;
    await expect.poll(() => received.slice(3)).toEqual(['disconnected', 'connected']);
    await notify('one', 'd');
    await expect.poll(() => received.at(-1)).toBe('one d');
  });

  it('reconnects when its work fails, even because of a bug', async () => {
    let runs = 0;
    const { subscription, received } = subscribe('bug', async () => {
      runs += 1;
      throw new TypeError('a bug');
    });
    await expect.poll(() => runs).toBeGreaterThanOrEqual(3);
    expect(received.slice(0, 4)).toEqual(['connected', 'disconnected', 'connected', 'disconnected']);
    await subscription.close();
    expect(subscription.isConnected).toBe(false);
  });
});
