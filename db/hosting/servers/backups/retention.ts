import { type BackupState, countedStates, max_backups } from './rules.ts';
import type { RetentionRules } from './view.ts';

/** Which automated backups stay. Pure. Source: hosting §5.6. */

/** The fields of a backup that retention uses; `created` is RFC 3339. */
export interface RetainedBackup {
  id: string;
  created: string;
  state: BackupState;
  locked: boolean;
  automated: boolean;
}

/** Of a server without rules of its own: none by itself, and those before risky changes stay for a while. */
export const defaultRetention: RetentionRules = {
  every_hours: null,
  last: 3,
  hourly: 0,
  daily: 3,
  weekly: 2,
};

/** Of a server that is paid for, from its first day: one a day. */
export const dailyRetention: RetentionRules = { ...defaultRetention, every_hours: 24 };

const hour_ms = 3_600_000;
const day_ms = 24 * hour_ms;
/** The number of the hour, day or week (from Monday) of a time, in UTC. */
const periods = {
  hourly: (ms: number) => Math.floor(ms / hour_ms),
  daily: (ms: number) => Math.floor(ms / day_ms),
  // 1970 began on a Thursday
  weekly: (ms: number) => Math.floor((Math.floor(ms / day_ms) + 3) / 7),
};

const newestFirst = (a: RetainedBackup, b: RetainedBackup): number =>
  Date.parse(b.created) - Date.parse(a.created) || (a.id < b.id ? -1 : 1);
const isUsable = ({ state }: RetainedBackup): boolean => state === 'done' || state === 'unchanged';

/**
 * Automated backups that the rules do not keep, oldest first. The newest `last` stay, and the newest of each of the last
 * hours, days and weeks that have one. Locked ones stay and take their place; manual ones are not looked at; what is in
 * progress or damaged is neither counted nor named.
 */
export function expiredBackups(backups: readonly RetainedBackup[], rules: RetentionRules): string[] {
  const automated = backups.filter((one) => one.automated && isUsable(one)).sort(newestFirst);
  const kept = new Set(automated.slice(0, rules.last).map(({ id }) => id));
  for (const [name, periodOf] of Object.entries(periods)) {
    const seen = new Set<number>();
    for (const { id, created } of automated) {
      if (seen.size >= rules[name as keyof typeof periods]) break;
      const period = periodOf(Date.parse(created));
      if (seen.has(period)) continue;
      seen.add(period);
      kept.add(id);
    }
  }
  return automated
    .filter(({ id, locked }) => !locked && !kept.has(id))
    .reverse()
    .map(({ id }) => id);
}

/**
 * Automated backups to delete so that one more fits: damaged ones first, then those that the rules will not keep beside
 * the new one, then the oldest. Null when even that is not enough, because the others are locked or manual. `spared` is
 * never among them.
 */
export function roomForBackup(
  backups: readonly RetainedBackup[],
  rules: RetentionRules,
  added: { created: string; spared: string | null },
): string[] | null {
  const counted = backups.filter(({ state }) => (countedStates as readonly string[]).includes(state));
  const needed = counted.length + 1 - max_backups;
  if (needed <= 0) return [];
  const mayGo = counted
    .filter((one) => one.automated && !one.locked && one.id !== added.spared)
    .filter((one) => isUsable(one) || one.state === 'damaged')
    .sort(newestFirst)
    .reverse();
  const next = { id: '', created: added.created, state: 'done', locked: false, automated: true } as const;
  const expired = new Set(expiredBackups([...backups, next], rules));
  const rank = (one: RetainedBackup) => (one.state === 'damaged' ? 0 : expired.has(one.id) ? 1 : 2);
  const order = mayGo.sort((a, b) => rank(a) - rank(b) || newestFirst(b, a)).map(({ id }) => id);
  return order.length < needed ? null : order.slice(0, needed);
}

/** Longest delay of a scheduled backup, so that those of a node do not begin at once. */
const max_jitter_ms = 30 * 60_000;

/** When the next scheduled backup is due: `random` from 0 to 1 spreads them over up to a tenth of the interval. */
export function nextBackupDue(after: Date, every_hours: number, random: number): Date {
  const interval_ms = every_hours * hour_ms;
  return new Date(
    after.getTime() + interval_ms + Math.floor(random * Math.min(max_jitter_ms, interval_ms / 10)),
  );
}
