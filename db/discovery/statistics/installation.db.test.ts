import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openQueue } from '../../platform/jobs/queue.ts';
import type { JobName, Queue } from '../../platform/jobs/queues.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { insertRecords } from '../analytics/records.ts';
import { rollUp } from '../analytics/roll-up.ts';
import { installation } from './installation.ts';

const database = testDatabase();

test('an installation says what it consists of and what it did', async () => {
  const { sql } = database;
  const now = new Date();
  await startJobs();
  const before = await installation(sql, now);
  const made = await build.project(sql, { status: 'processing' });
  await build.project(sql, { status: 'approved' });
  const days_ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  await sql.begin(
    async (tx) =>
      await insertRecords(tx, [
        { kind: 'download', at: days_ago(1), project_id: made.id, amount: 5 },
        { kind: 'download', at: days_ago(33), project_id: made.id, amount: 7 },
        { kind: 'view', at: days_ago(2), project_id: '' },
      ]),
  );
  await rollUp(sql, now, { records_d: 60 });
  const after = await installation(sql, now);
  expect(after.projects.in_review - before.projects.in_review).toBe(1);
  expect(after.projects.public - before.projects.public).toBe(1);
  expect(after.people.new_week).toBeGreaterThan(before.people.new_week);
  expect(after.traffic).toEqual([
    { kind: 'download', month: 5, before: 7 },
    { kind: 'view', month: 1, before: 0 },
  ]);
  expect(after.storage.database).toBeGreaterThan(1_000_000);
  expect(after.failed).toEqual([]);
  await sql`insert into pgboss.job (name, state, completed_on) select name, 'failed', ${now} from pgboss.queue limit 1`;
  expect((await installation(sql, now)).failed).toMatchObject([{ count: 1 }]);
});

/** The job queue makes its tables when it starts. */
async function startJobs(): Promise<void> {
  const queues = { purge_events: { retryLimit: 0, expireInSeconds: 60 } } as Record<JobName, Queue>;
  const { address, name } = database;
  await (await openQueue(address, pino({ level: 'silent' }), { queues, database: name })).close(1_000);
}
