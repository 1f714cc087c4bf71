const lengths = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A duration in its largest unit, `492 days`, or `short`: `492 days`, `4 min`. At least one minute. */
export function durationText(formatting: string, ms: number, unitDisplay: 'long' | 'short' = 'long'): string {
  const [unit, length] = lengths.find(([, one]) => ms >= one) ?? lengths[2];
  const amount = Math.max(1, Math.floor(ms / length));
  return new Intl.NumberFormat(formatting, { style: 'unit', unit, unitDisplay }).format(amount);
}
