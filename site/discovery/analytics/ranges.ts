/** The times that charts of analytics show, all in UTC. Source: specification §2 (analytics); screens §A.6. */
const minute_ms = 60_000;
const hour_ms = 60 * minute_ms;
const day_ms = 24 * hour_ms;
/** Nothing was counted before. */
const first_year = 2010;
/** Slices of one answer. Source: api-v3 §3.13. */
export const most_slices = 1024;

export interface Period {
  /** Milliseconds since 1970. */
  start: number;
  /** Exclusive. */
  end: number;
}
export interface RangePeriod extends Period {
  /** Length of a slice; the first one begins at `start`. */
  minutes: number;
  /** The period to compare with, as long as this one so far; null for all time. */
  before: Period | null;
}

const floor = (at: number, step_ms: number) => Math.floor(at / step_ms) * step_ms;
const midnight = (at: number) => floor(at, day_ms);
const date = (at: number) => {
  const day = new Date(at);
  return { year: day.getUTCFullYear(), month: day.getUTCMonth(), day: day.getUTCDate() };
};

/** The last minutes or hours: slices end with a full one, of which the last is not over. */
const last =
  (length_ms: number, minutes: number) =>
  (now: number): RangePeriod => {
    const start = Math.ceil(now / (minutes * minute_ms)) * minutes * minute_ms - length_ms;
    return { start, end: now, minutes, before: { start: start - length_ms, end: now - length_ms } };
  };

/** The last days, today among them. */
const lastDays =
  (days: number, minutes: number) =>
  (now: number): RangePeriod => {
    const start = midnight(now) - (days - 1) * day_ms;
    return { start, end: now, minutes, before: { start: start - days * day_ms, end: now - days * day_ms } };
  };

/** The last years up to today, from the day after the same date. The 28th of February stands for the 29th. */
const lastYears =
  (years: number, minutes: number) =>
  (now: number): RangePeriod => {
    const same = (back: number) => {
      const { year, month, day } = date(now);
      const days_in_month = new Date(Date.UTC(year - back, month + 1, 0)).getUTCDate();
      return Date.UTC(year - back, month, Math.min(day, days_in_month)) + day_ms;
    };
    const start = same(years);
    return { start, end: now, minutes, before: { start: same(2 * years), end: start } };
  };

/** A unit of the calendar: the one that is going on, or the one before it. `startOf` gives where a unit begins. */
const calendar =
  (startOf: (now: number, back: number) => number, back: 0 | 1, minutes: number) =>
  (now: number): RangePeriod => {
    const start = startOf(now, back);
    const end = back === 0 ? now : startOf(now, 0);
    const earlier = startOf(now, back + 1);
    const same_end = back === 0 ? Math.min(earlier + (end - start), start) : start;
    return { start, end, minutes, before: { start: earlier, end: same_end } };
  };

const dayStart = (now: number, back: number) => midnight(now) - back * day_ms;
/** 1 January 1970 was a Thursday: Monday is three days before. */
const weekStart = (now: number, back: number) =>
  floor(now + 3 * day_ms, 7 * day_ms) - 3 * day_ms - back * 7 * day_ms;
const monthStart = (now: number, back: number) => Date.UTC(date(now).year, date(now).month - back, 1);
const quarterStart = (now: number, back: number) =>
  Date.UTC(date(now).year, (Math.floor(date(now).month / 3) - back) * 3, 1);
const yearStart = (now: number, back: number) => Date.UTC(date(now).year - back, 0, 1);

const day = 24 * 60;
const makers = {
  '30-minutes': last(30 * minute_ms, 1),
  hour: last(hour_ms, 5),
  '12-hours': last(12 * hour_ms, 15),
  '24-hours': last(day_ms, 60),
  today: calendar(dayStart, 0, 60),
  yesterday: calendar(dayStart, 1, 60),
  'this-week': calendar(weekStart, 0, 360),
  'last-week': calendar(weekStart, 1, 360),
  '7-days': lastDays(7, 360),
  'this-month': calendar(monthStart, 0, day),
  'last-month': calendar(monthStart, 1, day),
  '30-days': lastDays(30, day),
  'this-quarter': calendar(quarterStart, 0, day),
  'last-quarter': calendar(quarterStart, 1, day),
  'this-year': calendar(yearStart, 0, 7 * day),
  'last-year': calendar(yearStart, 1, 7 * day),
  year: lastYears(1, 7 * day),
  'two-years': lastYears(2, 14 * day),
  all: (now: number): RangePeriod => ({
    start: Date.UTC(first_year, 0, 1),
    end: now,
    minutes: 28 * day,
    before: null,
  }),
};

export type RangeName = keyof typeof makers;
export const rangeNames = Object.keys(makers) as RangeName[];

/** The period of a range at `now`, in milliseconds since 1970. */
export const periodOf = (name: RangeName, now: number): RangePeriod => makers[name](now);

/** How many slices a period has; the last one may be shorter. */
export const slicesOf = ({ start, end, minutes }: Period & { minutes: number }): number =>
  Math.max(1, Math.ceil((end - start) / (minutes * minute_ms)));

/** When each slice begins, in milliseconds since 1970. */
export const slicesAt = (period: Period & { minutes: number }): number[] =>
  Array.from({ length: slicesOf(period) }, (_, slice) => period.start + slice * period.minutes * minute_ms);
