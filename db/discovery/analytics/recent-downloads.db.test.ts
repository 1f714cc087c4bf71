import { expect, test } from 'vitest';
import { project } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { recentDownloads } from './recent-downloads.ts';

const database = testDatabase();
const now = new Date('2026-03-10T00:30:00Z');

test('are those of the last 30 whole days, once the project wants them shown', async () => {
  const { sql } = database;
  const [{ id }, other] = [await project(sql), await project(sql)];
  const wants = (shows_downloads: boolean) => sql`update projects set ${sql({ shows_downloads })}`;
  await wants(true);
  expect(await recentDownloads(sql, id, now)).toBeNull();
  const add = (day: string, amount: number, kind = 'download', project_id = id) =>
    sql`insert into analytics_totals ${sql({ project_id, kind, day, amount })}`;
  await add('2026-02-07', 100_000); // 31 days ago
  await add('2026-02-08', 3);
  await add('2026-03-09', 5);
  await add('2026-03-10', 7_000); // today goes on
  await add('2026-03-09', 90_000, 'view');
  await add('2026-03-09', 80_000, 'download', other.id);
  expect(await recentDownloads(sql, id, now)).toEqual({
    amounts: [3, ...Array.from({ length: 28 }, () => 0), 5],
    sum: 8,
  });
  await wants(false);
  expect(await recentDownloads(sql, id, now)).toBeNull();
  expect(await recentDownloads(sql, 'Nobody11', now)).toBeNull();
});
