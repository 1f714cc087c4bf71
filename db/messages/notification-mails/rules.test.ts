import { expect, test } from 'vitest';
import { dueBefore } from './rules.ts';

// 2026-11-22 is a Sunday
test.each([
  ['now', '2026-11-22T06:59:59.000Z', '2026-11-22T06:59:59.000Z'],
  ['daily', '2026-11-22T06:59:59.000Z', '2026-11-21T07:00:00.000Z'],
  ['daily', '2026-11-22T07:00:00.000Z', '2026-11-22T07:00:00.000Z'],
  ['daily', '2026-11-22T23:59:59.000Z', '2026-11-22T07:00:00.000Z'],
  ['weekly', '2026-11-22T12:00:00.000Z', '2026-11-16T07:00:00.000Z'],
  ['weekly', '2026-11-23T06:59:59.000Z', '2026-11-16T07:00:00.000Z'],
  ['weekly', '2026-11-23T07:00:00.000Z', '2026-11-23T07:00:00.000Z'],
  ['weekly', '2026-12-01T00:00:00.000Z', '2026-11-30T07:00:00.000Z'],
] as const)('%s mails at %s hold what was written before %s', (time, now, before) => {
  expect(dueBefore(time, new Date(now)).toISOString()).toBe(before);
});
