/** Rules for alerts of game servers to those who rent them. */

/** What is measured, against a bound over some minutes. */
const measuredKinds = ['cpu', 'memory', 'disk', 'tick'] as const;
/** All of them, in the order shown. */
export const alertKinds = [
  ...measuredKinds,
  'crash_loop',
  'node_down',
  'backup_failed',
  'schedule_failed',
] as const;
export type AlertKind = (typeof alertKinds)[number];
type MeasuredKind = (typeof measuredKinds)[number];

export interface AlertRule {
  enabled: boolean;
  /** Per cent of what the server may use, milliseconds of a tick; null where nothing is measured. */
  over: number | null;
  /** How long it must be so; null where it counts at once. */
  minutes: number | null;
}
export type AlertRules = Record<AlertKind, AlertRule>;

/** A full core for a quarter of an hour is no start any more; a tick has 50 ms. */
export const defaultRules: AlertRules = {
  cpu: { enabled: true, over: 95, minutes: 15 },
  memory: { enabled: true, over: 95, minutes: 10 },
  disk: { enabled: true, over: 90, minutes: 5 },
  tick: { enabled: true, over: 50, minutes: 5 },
  crash_loop: { enabled: true, over: null, minutes: null },
  node_down: { enabled: true, over: null, minutes: 3 },
  backup_failed: { enabled: true, over: null, minutes: null },
  schedule_failed: { enabled: true, over: null, minutes: null },
};

/** What may be chosen. Minutes are not longer than minutes are looked at. */
const bounds = {
  over: { cpu: [10, 100], memory: [10, 100], disk: [10, 100], tick: [5, 1_000] },
  minutes: [1, 60],
} as const;
/** A measured alert ends when it is below this share of its bound for as long. */
export const ends_below = 0.95;
/** Alerts of one rule that people are told of in 24 hours; more are in the history only. */
export const most_told_a_day = 6;
/** A failed schedule says nothing when it works again: its alert ends by itself. */
export const schedule_alert_hours = 24;
export const max_history = 100;
/** Days that ended alerts are kept. */
export const history_days = 90;

/** The chosen rules with the defaults of everything else. */
export const completeRules = (chosen: Partial<Record<AlertKind, Partial<AlertRule>>>): AlertRules =>
  Object.fromEntries(
    alertKinds.map((kind) => [kind, { ...defaultRules[kind], ...chosen[kind] }]),
  ) as AlertRules;

const within = (value: number, [least, most]: readonly [number, number]): boolean =>
  Number.isInteger(value) && value >= least && value <= most;
const isMeasured = (kind: AlertKind): kind is MeasuredKind =>
  (measuredKinds as readonly AlertKind[]).includes(kind);

/** What is wrong with a rule: what may be chosen instead; null when nothing is. */
export function whyNotRule(
  kind: AlertKind,
  { over, minutes }: AlertRule,
): { field: 'over' | 'minutes'; least: number; most: number } | null {
  if (isMeasured(kind) && (over === null || !within(over, bounds.over[kind])))
    return { field: 'over', least: bounds.over[kind][0], most: bounds.over[kind][1] };
  if (defaultRules[kind].minutes !== null && (minutes === null || !within(minutes, bounds.minutes)))
    return { field: 'minutes', least: bounds.minutes[0], most: bounds.minutes[1] };
  return null;
}

/** When mails wait: minutes of the day in a time zone of IANA. */
export interface QuietHours {
  from: number;
  until: number;
  zone: string;
}

const day = 1_440;
const minute_ms = 60_000;

function minuteOfDay(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' },
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  return of('hour') * 60 + of('minute');
}

/**
 * The end of the quiet hours that `now` is in; null outside of them. An end that does not exist when clocks change is an
 * hour later.
 */
export function quietUntil(quiet: QuietHours | null, now: Date): Date | null {
  if (!quiet || quiet.from === quiet.until) return null;
  const { from, until, zone } = quiet;
  const at = minuteOfDay(now, zone);
  const isQuiet = from < until ? at >= from && at < until : at >= from || at < until;
  if (!isQuiet) return null;
  const whole = Math.floor(now.getTime() / minute_ms) * minute_ms;
  const end = new Date(whole + ((until - at + day) % day) * minute_ms);
  const off = ((until - minuteOfDay(end, zone) + day + day / 2) % day) - day / 2;
  const fixed = new Date(end.getTime() + off * minute_ms);
  return minuteOfDay(fixed, zone) === until ? fixed : end;
}
