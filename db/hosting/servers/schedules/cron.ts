import { Cron } from 'croner';
import { isTimeZone } from '../../../platform/time-zone.ts';
import type { Why } from './rules.ts';

/** Cron expressions in time zones: the control plane, the command line and the editor of the panel use the same. */

/** Most characters of an expression. */
const cron_length = 100;

/** What a field of an expression may hold: numbers, lists, ranges, steps, names, the last one (L) and the nth weekday (#). */
const field =
  /^(?:[\d*,\-/#L]|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|SUN|MON|TUE|WED|THU|FRI|SAT)+$/i;

/** The expression to store: one space between its fields. */
export const cronText = (text: string): string => text.trim().replace(/\s+/g, ' ');

const parse = (cron: string, timezone: string): Cron =>
  new Cron(cron, { timezone, mode: '5-part', paused: true });

/**
 * Why a schedule cannot run at these times, or null: `time_zone_unknown`, `schedule_cron_seconds` (six fields),
 * `schedule_cron_fields` (not five), `schedule_cron_invalid` with the number and the text of the field, `schedule_never`.
 */
export function whyNotTimes(text: string, timezone: string, now: Date): Why | null {
  if (!isTimeZone(timezone)) return { code: 'time_zone_unknown', data: { zone: timezone.slice(0, 60) } };
  const cron = cronText(text);
  const fields = cron.split(' ');
  if (fields.length === 6) return { code: 'schedule_cron_seconds' };
  if (fields.length !== 5 || cron.length > cron_length) return { code: 'schedule_cron_fields' };
  const wrong = fields.findIndex((one, at) => !isField(one, at));
  if (wrong >= 0) return { code: 'schedule_cron_invalid', data: { field: wrong + 1, text: fields[wrong]! } };
  return nextRun(cron, timezone, now) ? null : { code: 'schedule_never' };
}

function isField(text: string, at: number): boolean {
  if (!field.test(text)) return false;
  try {
    parse(['*', '*', '*', '*', '*'].with(at, text).join(' '), 'UTC');
    return true;
  } catch {
    return false;
  }
}

/**
 * The next time after `after`, or null when there is none. A time in an hour that is skipped when clocks change is at the
 * next minute that exists. An hour that comes twice counts once, at its first pass; only when the hour is `*` time just goes on.
 */
export function nextRun(cron: string, timezone: string, after: Date): Date | null {
  const pattern = parse(cron, timezone);
  const goesOn = cron.split(' ')[1] === '*';
  let next = pattern.nextRun(after);
  // at most the minutes of one hour
  while (next && !goesOn && isSecondPass(next, timezone)) next = pattern.nextRun(next);
  return next;
}

/** The next `count` times after `after`; fewer when there are no more. */
export function nextRuns(cron: string, timezone: string, after: Date, count: number): Date[] {
  const runs: Date[] = [];
  for (let at = nextRun(cron, timezone, after); at && runs.length < count; at = nextRun(cron, timezone, at))
    runs.push(at);
  return runs;
}

/** The largest step that clocks were ever set back by, and more. */
const back_ms = 3 * 3_600_000;

/** Whether clocks of the zone showed this minute before, because they were set back since. */
function isSecondPass(at: Date, timezone: string): boolean {
  const before = offset(new Date(at.getTime() - back_ms), timezone);
  const back = before - offset(at, timezone);
  return back > 0 && offset(new Date(at.getTime() - back), timezone) === before;
}

/** How much the clocks of a zone are ahead of UTC, in milliseconds. */
function offset(at: Date, timezone: string): number {
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')!.value;
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  if (!sign) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
