/** How long a frog has been sitting, in the units that it counts in. */
export interface SittingTime {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/** The time from `since` to `now`; none when the clock of the visitor is behind. */
export function sittingTime(since: Date, now: Date): SittingTime {
  const seconds = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1000));
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor(seconds / 3600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  };
}
