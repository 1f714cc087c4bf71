/** Writes a day out, in UTC: `December 6, 2026`. Of everything that lasts until a day. */
export const dayFormat = (formatting: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(formatting, { dateStyle: 'long', timeZone: 'UTC' });
