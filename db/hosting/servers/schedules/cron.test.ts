import { describe, expect, it } from 'vitest';
import { isTimeZone } from '../../../platform/time-zone.ts';
import { cronText, nextRuns, whyNotTimes } from './cron.ts';

const now = new Date('2026-01-01T00:00:00Z');
const timesAfter = (cron: string, zone: string, from: string, count = 3) =>
  nextRuns(cron, zone, new Date(from), count).map((at) => at.toISOString().slice(5, 16));

describe('times of a cron expression', () => {
  it('follow the clocks of the zone', () => {
    expect(timesAfter('0 4 * * *', 'Europe/Berlin', '2026-07-01T00:00:00Z', 1)).toEqual(['07-01T02:00']);
    expect(timesAfter('0 4 * * *', 'Europe/Berlin', '2026-12-01T00:00:00Z', 1)).toEqual(['12-01T03:00']);
    expect(timesAfter('30 18 * * 5', 'Asia/Kolkata', '2026-07-01T00:00:00Z', 1)).toEqual(['07-03T13:00']);
  });

  it('in an hour that clocks skip are at the next minute that exists, once', () => {
    expect(timesAfter('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '03-29T01:00', // 3:00 in summer time
      '03-30T00:30',
    ]);
    expect(timesAfter('0 2,3 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '03-29T01:00',
      '03-30T00:00',
    ]);
    expect(timesAfter('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', 2)).toEqual([
      '10-03T15:30', // clocks go from 2:00 to 2:30
      '10-04T15:15',
    ]);
  });

  it.each(['30 2 * * *', '30 2-3 * * *', '30 */2 * * *'])(
    'in an hour that comes twice are at its first pass: %s',
    (cron) => {
      const runs = timesAfter(cron, 'Europe/Berlin', '2026-10-24T23:00:00Z', 2);
      expect(runs[0]).toBe('10-25T00:30');
      expect(runs[1]).not.toBe('10-25T01:30');
    },
  );

  it('each hour go on while an hour comes twice', () => {
    expect(timesAfter('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 4)).toEqual([
      ...['10-25T00:00', '10-25T01:00', '10-25T02:00', '10-25T03:00'],
    ]);
    expect(timesAfter('*/30 * * * *', 'Europe/Berlin', '2026-10-24T23:45:00Z', 4)).toEqual([
      ...['10-25T00:00', '10-25T00:30', '10-25T01:00', '10-25T01:30'],
    ]);
  });

  it('skip the second pass of half an hour', () => {
    // clocks go from 2:00 back to 1:30 on 5 April
    expect(timesAfter('45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T00:00:00Z', 2)).toEqual([
      ...['04-04T14:45', '04-05T15:15'],
    ]);
  });

  it('are fewer when there are no more', () => {
    expect(timesAfter('0 0 30 2 *', 'UTC', '2026-01-01T00:00:00Z')).toEqual([]);
    expect(timesAfter('0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual(['02-29T00:00']);
  });
});

describe('whyNotTimes', () => {
  it.each([
    ...['0 4 * * *', '*/5 * * * *', '0 */6 * * *', '0 0 * * MON-FRI', '0 0 L * *', '0 12 * * 5#2'],
    ...['15,45 8-18 1 jan 7', '  0   4 * * *  '],
  ])('allows %s', (cron) => expect(whyNotTimes(cron, 'Europe/Berlin', now)).toBeNull());

  it.each([
    ['* * * * * *', { code: 'schedule_cron_seconds' }],
    ['*/10 * * * * *', { code: 'schedule_cron_seconds' }],
    ['', { code: 'schedule_cron_fields' }],
    ['@daily', { code: 'schedule_cron_fields' }],
    ['* * * *', { code: 'schedule_cron_fields' }],
    [`0 ${'1,'.repeat(200)}1 * * *`, { code: 'schedule_cron_fields' }],
    ['60 * * * *', { code: 'schedule_cron_invalid', data: { field: 1, text: '60' } }],
    ['0 24 * * *', { code: 'schedule_cron_invalid', data: { field: 2, text: '24' } }],
    ['0 4 32 * *', { code: 'schedule_cron_invalid', data: { field: 3, text: '32' } }],
    ['0 4 * 13 *', { code: 'schedule_cron_invalid', data: { field: 4, text: '13' } }],
    ['0 4 * * 9', { code: 'schedule_cron_invalid', data: { field: 5, text: '9' } }],
    ['*/0 4 * * *', { code: 'schedule_cron_invalid', data: { field: 1, text: '*/0' } }],
    ['H 4 * * *', { code: 'schedule_cron_invalid', data: { field: 1, text: 'H' } }],
    ['0 4 1W * *', { code: 'schedule_cron_invalid', data: { field: 3, text: '1W' } }],
    ['0 4 30 2 *', { code: 'schedule_never' }],
  ])('refuses %s', (cron, why) => expect(whyNotTimes(cron, 'UTC', now)).toEqual(why));

  it('refuses time zones that do not exist', () => {
    expect(whyNotTimes('0 4 * * *', 'Mars/Base', now)).toEqual({
      code: 'time_zone_unknown',
      data: { zone: 'Mars/Base' },
    });
    for (const zone of ['', '+02:00', 'x'.repeat(100), 'Europe/', '../etc', 'UTC '])
      expect(isTimeZone(zone)).toBe(false);
    for (const zone of ['UTC', 'Europe/Berlin', 'America/Argentina/Ushuaia', 'Etc/GMT+5'])
      expect(isTimeZone(zone)).toBe(true);
  });

  it('is stored with one space between its fields', () =>
    expect(cronText(' 0  4 *\t* * ')).toBe('0 4 * * *'));
});
