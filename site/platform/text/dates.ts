import { dayFormat } from '#content/days.ts';
import type { Messages } from '#content/messages.ts';
import { isDay, once } from './format.ts';

/** Localized dates, written out. Source: specification §9; screens §A.10 (Formatting). */

/** The day alone, written out, in UTC. */
export const day = ({ formatting }: Pick<Messages, 'formatting'>, date: Date | string): string =>
  once(`${formatting} day`, () => dayFormat(formatting)).format(new Date(date));

/** Day and time, written out, in UTC: cached pages are shared by visitors of all time zones. A day stays a day. */
export const exactDate = (messages: Pick<Messages, 'formatting'>, date: Date | string): string =>
  isDay(date)
    ? day(messages, date)
    : once(
        `${messages.formatting} exact`,
        () =>
          new Intl.DateTimeFormat(messages.formatting, {
            year: 'numeric',
            month: 'long',
            day: 'numeric',
            hour: 'numeric',
            minute: '2-digit',
            timeZone: 'UTC',
            timeZoneName: 'short',
          }),
      ).format(new Date(date));

/** Month and year, written out, in UTC. */
export const month = ({ formatting }: Messages, date: Date | string): string =>
  once(
    `${formatting} month`,
    () => new Intl.DateTimeFormat(formatting, { year: 'numeric', month: 'long', timeZone: 'UTC' }),
  ).format(new Date(date));
