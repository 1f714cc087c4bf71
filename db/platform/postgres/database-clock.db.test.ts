import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { openDatabaseClock } from './database-clock.ts';

const database = testDatabase();

describe('the clock of the database', () => {
  it('goes on by itself, whatever the clock of the machine says', async () => {
    const said: object[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(JSON.parse(line)) });
    const clock = await openDatabaseClock(database.sql, log);
    expect(said).toEqual([]);
    const before = clock.now().getTime();
    expect(Math.abs(before - Date.now())).toBeLessThan(2_000);
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] });
    await new Promise((done) => setTimeout(done, 30));
    expect(clock.now().getTime() - before).toBeGreaterThan(20);
    expect(clock.now().getTime() - before).toBeLessThan(5_000);
    vi.useRealTimers();
    clock.close();
  });
});
