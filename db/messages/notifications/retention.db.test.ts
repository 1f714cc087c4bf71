import { beforeEach, expect, it } from 'vitest';
import { newId } from '../../platform/id.ts';
import { user } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { purgeNotifications } from './retention.ts';

const database = testDatabase();
const now = new Date('2026-11-22T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

beforeEach(async () => {
  await database.sql`truncate notifications`;
});

const left = async () =>
  (await database.sql`select body from notifications order by created`).map(({ body }) => body.name);

it('keeps read notifications for 90 days and unread ones for a year', async () => {
  const { sql } = database;
  const { id: user_id } = await user(sql);
  const ages = { 'read, 91 days': 91, 'read, 89 days': 89, 'unread, 366 days': 366, 'unread, 364 days': 364 };
  for (const [name, days] of Object.entries(ages)) {
    const read = name.startsWith('read');
    const row = { id: newId(), user_id, type: 'project_update', body: sql.json({ name }), read };
    await sql`insert into notifications ${sql({ ...row, created: daysAgo(days) })}`;
  }
  expect(await purgeNotifications(sql, now)).toBe(2);
  expect(await left()).toEqual(['unread, 364 days', 'read, 89 days']);
  expect(await purgeNotifications(sql, now)).toBe(0);
});

it('deletes more than fits into one batch', async () => {
  const { sql } = database;
  const { id: user_id } = await user(sql);
  await sql`
    insert into notifications (id, user_id, type, body, read, created)
    select 'N' || lpad(n::text, 7, '0'), ${user_id}, 'project_update', '{}', true, ${daysAgo(100)}::timestamptz
    from generate_series(1, 10001) n`;
  expect(await purgeNotifications(sql, now)).toBe(10_001);
  expect(await left()).toEqual([]);
});
