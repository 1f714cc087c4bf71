import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { connect } from '../postgres/sql.ts';
import { type EventConsumer, runConsumers } from './consumer.ts';
import { cursorOf, type Event, eventsAfter, saveCursor } from './read.ts';
import { recordEvent } from './write.ts';

const database = testDatabase();
const log = pino({ level: 'silent' });
const ends: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await database.sql`truncate events, event_cursors`;
});

const numberOf = ({ data }: Event): number => ('projects' in data ? (data.projects ?? 0) : 0);

/** A consumer that remembers what it handled; its first `failures` steps fail. */
function reader(name: string, known: number[], failures = 0): EventConsumer {
  return {
    name,
    step: () =>
      database.sql.begin(async (tx) => {
        if (failures-- > 0) throw new Error('not now');
        const from = (await cursorOf(tx, name)) ?? { xact: '0', id: 0 };
        const events = await eventsAfter(tx, from, 3);
        known.push(...events.map(numberOf));
        if (events.length > 0) await saveCursor(tx, name, events.at(-1)!);
        return events.length;
      }),
  };
}

const happen = (n: number) => recordEvent(database.sql, { name: 'catalogue.loaded', data: { projects: n } });
const start = async (one: EventConsumer, sql = database.sql) => {
  ends.push(await runConsumers(sql, [one], { log, poll_ms: 60_000 }));
};

describe('follow', () => {
  it('delivers earlier events and, woken by NOTIFY, later ones', async () => {
    const known: number[] = [];
    for (const n of [1, 2, 3, 4]) await happen(n);
    await start(reader('one', known));
    await expect.poll(() => known).toEqual([1, 2, 3, 4]);
    await happen(5);
    await expect.poll(() => known).toEqual([1, 2, 3, 4, 5]);
  });

  it('retries a failed step and loses nothing', async () => {
    const known: number[] = [];
    await happen(1);
    await start(reader('failing', known, 2));
    await expect.poll(() => known).toEqual([1]);
  });

  it('runs a consumer in one process at a time', async () => {
    const known: number[] = [];
    const other = connect({ address: database.address, database: database.name, max: 3 });
    await start(reader('shared', known));
    await start(reader('shared', known), other);
    for (const n of [1, 2, 3, 4, 5, 6, 7]) await happen(n);
    await expect.poll(() => known).toHaveLength(7);
    expect(known).toEqual([1, 2, 3, 4, 5, 6, 7]);
    for (const end of ends.splice(0)) await end();
    await other.end();
  });
});
