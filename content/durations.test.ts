import { expect, it } from 'vitest';
import { Refused } from '#db/platform/errors.ts';
import { dayFormat } from './days.ts';
import { durationText } from './durations.ts';
import { messages } from './messages.ts';
import { refusalDescription } from './refusal-description.ts';
import { staffNoticeText } from './staff-notices.ts';

it.each([
  [0, '1 minute', '1 min'],
  [59 * 60_000, '59 minutes', '59 min'],
  [3_600_000, '1 hour', '1 hr'],
  [47.9 * 3_600_000, '1 day', '1 day'],
  [11_822 * 3_600_000, '492 days', '492 days'],
])('writes %i ms in its largest unit', (ms, long, short) => {
  expect([durationText('en-US', ms), durationText('en-US', ms, 'short')]).toEqual([long, short]);
});

it('writes what lasts until a day with its date in words', () => {
  expect(dayFormat('en-US').format(new Date('2026-12-06T23:59:59Z'))).toBe('December 6, 2026');
  const suspended = new Refused('account_suspended', { until: '2026-12-06', reason: '2026-01-02' });
  expect(refusalDescription(suspended, 'en-US')).toBe(
    'Your account is suspended until December 6, 2026. Reason: 2026-01-02',
  );
  expect(refusalDescription(suspended, 'de-DE')).toContain('6. Dezember 2026');
});

it('names how long the first project of the queue has waited in days', () => {
  const { text } = staffNoticeText(messages('en-US'), {
    kind: 'review_late',
    data: { waiting: 2, hours: 11_822 },
  });
  expect(text).toMatch(/^The oldest was submitted \u2068492 days\u2069 ago\./);
});
