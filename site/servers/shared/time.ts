/** How long a requested action is shown as under way when nothing is reported, in milliseconds. Source: screens §A.8. */
export const lock_ms = 5000;

const lengths = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A duration in its largest unit, in the language of `formatting`: `3 days`, `4 min`. At least one minute. */
export function roughDuration(formatting: string, ms: number): string {
  const [unit, length] = lengths.find(([, one]) => ms >= one) ?? lengths[2];
  const amount = Math.max(1, Math.floor(ms / length));
  return new Intl.NumberFormat(formatting, { style: 'unit', unit, unitDisplay: 'short' }).format(amount);
}

const two = (number: number) => String(number).padStart(2, '0');

/** `04:12:37`, and how many whole days before that; never negative. */
export function durationParts(ms: number): { days: number; clock: string } {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return { days: Math.floor(seconds / 86_400), clock: clock.map(two).join(':') };
}
