import type { Messages } from './messages.ts';

/** A moment as people read it, in UTC: who reads it may be anywhere. */
export function utcTime({ formatting }: Pick<Messages, 'formatting'>, at: string): string {
  const style = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(formatting, style).format(new Date(at))} UTC`;
}
