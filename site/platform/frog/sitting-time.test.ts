import { expect, it } from 'vitest';
import { sittingTime } from './sitting-time.ts';

const since = new Date('2026-11-20T10:00:00Z');

it('counts days, hours, minutes and seconds', () => {
  expect(sittingTime(since, new Date('2026-11-22T13:04:05.900Z'))).toEqual({
    days: 2,
    hours: 3,
    minutes: 4,
    seconds: 5,
  });
});

it('starts at nothing for visitors whose clock is behind', () => {
  const none = { days: 0, hours: 0, minutes: 0, seconds: 0 };
  expect(sittingTime(since, since)).toEqual(none);
  expect(sittingTime(since, new Date('2026-11-19T10:00:00Z'))).toEqual(none);
});
