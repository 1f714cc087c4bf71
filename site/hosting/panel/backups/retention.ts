import type { BackupView, RetentionRules } from '#db/hosting/servers/backups/view.ts';

/** What retention rules mean, for whoever changes them. Pure. */

/** Hours between automated backups that are offered. */
export const intervals = [1, 2, 3, 6, 12, 24, 48, 72, 168] as const;

/** The bounds of each number. */
export const bounds = {
  last: [1, 15],
  hourly: [0, 15],
  daily: [0, 15],
  weekly: [0, 15],
} as const satisfies Record<Exclude<keyof RetentionRules, 'every_hours'>, readonly [number, number]>;
export type RetentionField = keyof typeof bounds;
export const retentionFields = Object.keys(bounds) as RetentionField[];

/** What was typed as a number within its bounds; null when it is none. */
export function numberWithin(text: string, [least, most]: readonly [number, number]): number | null {
  if (!/^\d{1,4}$/.test(text.trim())) return null;
  const value = Number(text);
  return value >= least && value <= most ? value : null;
}

/** At most so many automated backups stay: a backup may count for several rules. */
export const mostKept = ({ last, hourly, daily, weekly }: RetentionRules): number =>
  last + hourly + daily + weekly;

/** Backups that no rule removes: made by a user, or locked. */
export const alwaysKept = (backups: readonly BackupView[]): number =>
  backups.filter(({ automated, locked }) => !automated || locked).length;
