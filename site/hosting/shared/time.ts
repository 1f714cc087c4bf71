/** How long a requested action is shown as under way when nothing is reported, in milliseconds. Source: screens §A.8. */
export const lock_ms = 5000;

const two = (number: number) => String(number).padStart(2, '0');

/** `04:12:37`, and how many whole days before that; never negative. */
export function durationParts(ms: number): { days: number; clock: string } {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return { days: Math.floor(seconds / 86_400), clock: clock.map(two).join(':') };
}

/** Date and time in the zone of the browser: `19 Nov 2026, 21:40`. */
export const exactTime = (formatting: string, instant: string): string =>
  new Intl.DateTimeFormat(formatting, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant));
