import { describe, expect, it } from 'vitest';
import { whyNotTimes } from '#db/hosting/servers/schedules/cron.ts';
import { whyNotSchedule } from '#db/hosting/servers/schedules/rules.ts';
import { cronOf, hourChoices, type Times, timesOf, usefulSchedules } from './presets.ts';

describe('presets', () => {
  it.each([
    ['0 4 * * *', { kind: 'daily', time: '04:00' }],
    ['5 23 * * *', { kind: 'daily', time: '23:05' }],
    ['30 6 * * 0', { kind: 'weekly', time: '06:30', weekday: 0 }],
    ['0 */6 * * *', { kind: 'hours', hours: 6 }],
    ['0 * * * *', { kind: 'hours', hours: 1 }],
    ...[
      '*/5 * * * *',
      '0 */5 * * *',
      '0 4 1 * *',
      '0 4 * * 1-5',
      '30 */6 * * *',
      '0 24 * * *',
      '60 4 * * *',
      '',
    ].map((cron) => [cron, { kind: 'own' }] as const),
  ] as Array<[string, Partial<Times>]>)('know %s', (cron, times) => {
    expect(timesOf(cron)).toMatchObject(times);
    expect(cronOf(timesOf(cron))).toBe(times.kind === 'own' ? null : cron);
  });

  it('make expressions that are allowed', () => {
    const times: Times = { kind: 'hours', time: '04:00', hours: 1, weekday: 6 };
    const all = [...hourChoices.map((hours) => ({ ...times, hours })), { ...times, kind: 'weekly' } as Times];
    for (const one of all) expect(whyNotTimes(cronOf(one)!, 'UTC', new Date('2026-01-01'))).toBeNull();
  });

  it('offer schedules that can be saved as they are', () => {
    for (const { name, steps, cron, timezone } of Object.values(usefulSchedules({ t: (key) => key }))) {
      expect(whyNotSchedule(name, steps)).toBeNull();
      expect(whyNotTimes(cron, timezone, new Date('2026-01-01'))).toBeNull();
    }
  });
});
