import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { type JobQueue, openQueue } from './queue.ts';
import type { JobName, Queue } from './queues.ts';

const database = testDatabase();
const log = pino({ level: 'silent' });
const queue: Queue = { retryLimit: 3, expireInSeconds: 60 };
const queues = { sweep_storage: queue, purge_events: queue, delete_expired: queue } as Record<JobName, Queue>;
let board: JobQueue;
beforeAll(async () => {
  board = await openQueue(database.address, log, { queues, database: database.name });
});
afterAll(() => board.close(1_000));

const waiting = async (name: string) =>
  (await database.sql`select 1 from pgboss.job where name = ${name} and state = 'created'`).length;

describe('the job queue', () => {
  it('enqueues a job exactly when the transaction commits', async () => {
    await database.sql.begin((tx) => board.enqueue(tx, 'sweep_storage', {}));
    await expect(
      database.sql.begin(async (tx) => {
        await board.enqueue(tx, 'sweep_storage', {});
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await waiting('sweep_storage')).toBe(1);
  });

  it('enqueues one job when two timers fire', async () => {
    await Promise.all([
      board.enqueueUnique('purge_events', {}, 600),
      board.enqueueUnique('purge_events', {}, 600),
    ]);
    expect(await waiting('purge_events')).toBe(1);
  });

  it('retries a failed job', async () => {
    let tries = 0;
    await board.work('delete_expired', async () => {
      tries += 1;
      if (tries === 1) throw new Error('not now');
    });
    await board.enqueueUnique('delete_expired', {}, 1);
    await vi.waitFor(() => expect(tries).toBe(2), 15_000);
  });
});
