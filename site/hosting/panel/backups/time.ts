/** Date and time in the zone of the browser: `19 Nov 2026, 21:40`. */
export const exactTime = (formatting: string, instant: string): string =>
  new Intl.DateTimeFormat(formatting, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant));
