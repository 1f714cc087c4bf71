import { expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { type Cursor, eventsAfter, latestCursor } from './read.ts';
import { recordEvent } from './write.ts';

const database = testDatabase();

it('orders events by transaction number, numerically, so that none is skipped at 10, 100, 1000', async () => {
  const { sql } = database;
  for (const xact of ['9', '10', '99', '100'])
    await sql`insert into events (xact, name, data) values (${xact}::xid8, 'catalogue.loaded', ${sql.json({ xact })})`;
  const order: string[] = [];
  for (let cursor = { xact: '0', id: 0 }; ; ) {
    const [event] = await eventsAfter(sql, cursor, 1);
    if (!event) break;
    order.push(event.xact);
    cursor = event;
  }
  expect(order).toEqual(['9', '10', '99', '100']);
  expect(await latestCursor(sql)).toMatchObject({ xact: '100' });
});

it('never skips an event whose transaction commits after a younger one', async () => {
  const { sql } = database;
  await sql`delete from events`;
  const read: string[] = [];
  let cursor: Cursor = { xact: '0', id: 0 };
  const readOn = async () => {
    for (const event of await eventsAfter(sql, cursor)) {
      read.push('fields' in event.data ? (event.data.fields?.[0] ?? '') : '');
      cursor = event;
    }
    return read;
  };
  await sql.begin(async (old) => {
    await recordEvent(old, { name: 'project.edited', project_id: 'Proj0001', data: { fields: ['old'] } });
    await sql.begin(
      async (young) =>
        await recordEvent(young, {
          name: 'project.edited',
          project_id: 'Proj0001',
          data: { fields: ['young'] },
        }),
    );
    await readOn(); // the younger transaction is committed, the older one is not
  });
  // transactions of other test files also delay events
  await expect.poll(readOn, { timeout: 15_000 }).toEqual(['old', 'young']);
});
