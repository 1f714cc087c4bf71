import { describe, expect, it } from 'vitest';
import { expiredBackups, nextBackupDue, type RetainedBackup, roomForBackup } from './retention.ts';
import type { RetentionRules } from './view.ts';

const rules = (given: Partial<RetentionRules> = {}): RetentionRules => ({
  ...{ every_hours: null, last: 1, hourly: 0, daily: 0, weekly: 0, ...given },
});
const backup = (id: string, created: string, given: Partial<RetainedBackup> = {}): RetainedBackup => ({
  ...{ id, created, state: 'done', locked: false, automated: true, ...given },
});
/** Hourly backups `a`, `b`, ... from noon on, oldest first. */
const hourly = (count: number, given: Partial<RetainedBackup> = {}) =>
  Array.from({ length: count }, (_, i) =>
    backup(String.fromCharCode(97 + i), new Date(Date.UTC(2026, 10, 26, 12 + i)).toISOString(), given),
  );
const gone = (backups: readonly RetainedBackup[], given: Partial<RetentionRules>) =>
  expiredBackups(backups, rules(given)).join('');

describe('retention', () => {
  it('keeps the newest ones', () => {
    expect(gone([], { last: 3 })).toBe('');
    expect(gone(hourly(3), { last: 3 })).toBe('');
    expect(gone(hourly(5), { last: 3 })).toBe('ab');
    expect(gone(hourly(5).reverse(), { last: 1 })).toBe('abcd');
  });

  it('keeps the newest of each hour, day and week that has one, the latest periods first', () => {
    const twice = [
      backup('a', '2026-11-26T09:10:00Z'),
      backup('b', '2026-11-26T09:50:00Z'),
      backup('c', '2026-11-26T11:10:00Z'),
      backup('d', '2026-11-26T11:59:59Z'),
      backup('e', '2026-11-26T12:00:00Z'),
    ];
    expect(gone(twice, { hourly: 1 })).toBe('abcd');
    expect(gone(twice, { hourly: 2 })).toBe('abc');
    // an hour without a backup takes no place
    expect(gone(twice, { hourly: 3 })).toBe('ac');
    const days = [
      backup('a', '2026-11-22T23:59:00Z'), // a Sunday
      backup('b', '2026-11-23T00:01:00Z'), // the Monday after
      backup('c', '2026-11-24T05:00:00Z'),
      backup('d', '2026-11-24T06:00:00Z'),
    ];
    expect(gone(days, { daily: 2 })).toBe('ac');
    expect(gone(days, { daily: 3 })).toBe('c');
    expect(gone(days, { weekly: 1 })).toBe('abc');
    expect(gone(days, { weekly: 2 })).toBe('bc');
    expect(gone(days, { last: 2, daily: 1, weekly: 2 })).toBe('b');
  });

  it('never names manual or locked ones, nor what is in progress, failed or damaged', () => {
    expect(gone(hourly(4, { automated: false }), { last: 1 })).toBe('');
    expect(gone(hourly(4, { locked: true }), { last: 1 })).toBe('');
    for (const state of ['restoring', 'preparing', 'verifying', 'creating', 'failed', 'damaged'] as const)
      expect(gone(hourly(4, { state }), { last: 1 })).toBe('');
    expect(gone(hourly(4, { state: 'unchanged' }), { last: 1 })).toBe('abc');
  });

  it('lets a locked one take its place, and not a manual one', () => {
    const [a, b, c, d] = hourly(4) as [RetainedBackup, RetainedBackup, RetainedBackup, RetainedBackup];
    expect(gone([a, b, c, { ...d, locked: true }], { last: 2 })).toBe('ab');
    expect(gone([a, b, c, { ...d, automated: false }], { last: 2 })).toBe('a');
  });

  it('keeps at least one, however the rules are combined', () => {
    for (let last = 1; last <= 3; last++)
      for (let count = 1; count <= 10; count++)
        for (const daily of [0, 1, 7]) {
          const backups = hourly(count);
          const left = backups.filter(({ id }) => !gone(backups, { last, daily }).includes(id));
          expect(left.length).toBeGreaterThanOrEqual(Math.min(last, count));
          expect(left.at(-1)).toBe(backups.at(-1));
          // what was kept once is kept when nothing new came
          expect(gone(left, { last, daily })).toBe('');
        }
  });
});

describe('room for one more', () => {
  const created = '2026-11-28T00:00:00Z';
  const room = (
    backups: readonly RetainedBackup[],
    given: Partial<RetentionRules> = {},
    spared: string | null = null,
  ) => roomForBackup(backups, rules({ last: 15, ...given }), { created, spared })?.join('') ?? null;

  it('needs nothing below the limit', () => {
    expect(room(hourly(14))).toBe('');
    expect(room([...hourly(14), backup('x', created, { state: 'failed' })])).toBe('');
    expect(room([...hourly(14), backup('x', created, { state: 'deleting' })])).toBe('');
  });

  it('is made by what the rules do not keep, else by the oldest automated one', () => {
    expect(room(hourly(15))).toBe('a');
    expect(room(hourly(15), { last: 1, daily: 2 })).toBe('a');
    // a is the newest of its week: the rules keep it
    const old = backup('a', '2026-11-10T00:00:00Z');
    expect(room([old, ...hourly(15).slice(1)], { last: 1, weekly: 3 })).toBe('b');
    expect(room(hourly(17))).toBe('abc');
  });

  it('takes damaged ones first, and never the spared, locked, manual or busy ones', () => {
    const backups = hourly(15);
    expect(room(backups.map((one) => (one.id === 'h' ? { ...one, state: 'damaged' } : one)))).toBe('h');
    expect(room(backups, {}, 'a')).toBe('b');
    const firm = hourly(15, { automated: false });
    expect(room(firm)).toBeNull();
    expect(room(hourly(15, { locked: true }))).toBeNull();
    expect(room(hourly(15, { state: 'preparing' }))).toBeNull();
    expect(room([...firm.slice(1), backups[0]!])).toBe('a');
    expect(room([...firm.slice(1), backups[0]!], {}, 'a')).toBeNull();
  });
});

it('spreads the next backup over up to a tenth of its interval, at most half an hour', () => {
  const after = new Date('2026-11-26T12:00:00Z');
  const due = (hours: number, random: number) => nextBackupDue(after, hours, random).toISOString();
  expect(due(1, 0)).toBe('2026-11-26T13:00:00.000Z');
  expect(due(1, 1)).toBe('2026-11-26T13:06:00.000Z');
  expect(due(24, 0.5)).toBe('2026-11-27T12:15:00.000Z');
  expect(due(168, 1)).toBe('2026-12-03T12:30:00.000Z');
});
