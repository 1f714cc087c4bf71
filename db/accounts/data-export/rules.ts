import type { RefusalCode } from '../../platform/errors.ts';

/** Files are deleted after a week. */
export const kept_days = 7;
/** Exports of one user within 24 hours. */
export const max_per_day = 3;
/** An export that did not finish by then is lost. */
const lost_ms = 60 * 60_000;
const day_ms = 86_400_000;

export type ExportState = 'waiting' | 'running' | 'done' | 'failed' | 'streamed';

interface Past {
  state: ExportState;
  /** RFC 3339. */
  created: string;
}

/** The state as people see it: one that takes too long has failed. */
export const shownState = ({ state, created }: Past, now: Date): ExportState =>
  (state === 'waiting' || state === 'running') && now.getTime() - Date.parse(created) > lost_ms
    ? 'failed'
    : state;

/** Why a user with these exports may not get another one now, or null. */
export function whyNotExport(past: readonly Past[], now: Date): RefusalCode | null {
  if (past.some((one) => ['waiting', 'running'].includes(shownState(one, now)))) return 'export_running';
  const today = past.filter(
    ({ state, created }) => state !== 'failed' && now.getTime() - Date.parse(created) < day_ms,
  );
  return today.length >= max_per_day ? 'exports_too_many' : null;
}

/** Whether the file of an export is still there. */
export const isDownloadable = ({ state, created }: Past, now: Date): boolean =>
  state === 'done' && now.getTime() - Date.parse(created) < kept_days * day_ms;
