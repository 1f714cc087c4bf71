import { expect, it } from 'vitest';
import { testDatabase } from '../test-database.ts';
import { after, head } from './read.ts';

const database = testDatabase();

it('gives events in the order of their transactions as numbers, so that none is jumped over at 10, 100, 1000', async () => {
  const { sql } = database;
  for (const xact of ['9', '10', '99', '100'])
    await sql`insert into events (xact, name, data) values (${xact}::xid8, 'catalogue.loaded', ${sql.json({ xact })})`;
  const order: string[] = [];
  for (let cursor = { xact: '0', id: 0 }; ; ) {
    const [event] = await after(sql, cursor, 1);
    if (!event) break;
    order.push(event.xact);
    cursor = event;
  }
  expect(order).toEqual(['9', '10', '99', '100']);
  expect(await head(sql)).toMatchObject({ xact: '100' });
});
