import { beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { eventsAfter, latestCursor, saveCursor } from './read.ts';
import { purgeEvents } from './retention.ts';
import { recordEvent } from './write.ts';

const database = testDatabase();
const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

/** Three events: two old ones and one of today. */
beforeEach(async () => {
  const { sql } = database;
  await sql`truncate events, event_cursors`;
  for (const days of [40, 31, 0]) {
    await recordEvent(sql, { name: 'catalogue.loaded', data: { projects: days } });
    await sql`update events set created = ${daysAgo(days)} where data = ${sql.json({ projects: days })}`;
  }
});

const left = async () =>
  (await database.sql`select data from events order by id`).map(({ data }) => data.projects);

describe('purging events', () => {
  it('removes events older than 30 days once every consumer has handled them', async () => {
    expect(await purgeEvents(database.sql, now)).toBe(2);
    expect(await left()).toEqual([0]);
  });

  it('keeps every event that the slowest consumer has not handled', async () => {
    const { sql } = database;
    const [oldest] = await eventsAfter(sql, { xact: '0', id: 0 });
    await saveCursor(sql, 'fast', await latestCursor(sql));
    await saveCursor(sql, 'slow', oldest!);
    expect(await purgeEvents(sql, now)).toBe(1);
    expect(await left()).toEqual([31, 0]);
  });
});
