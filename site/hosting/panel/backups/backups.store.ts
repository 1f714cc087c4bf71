import { atom } from 'nanostores';
import type { BackupState, BackupView, RetentionRules } from '#db/hosting/servers/backups/view.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';

/** The backups of the open panel; written by `follow.ts` and `actions.ts`. */

/** Newest first; null until they were received once. */
export const $backups = atom<readonly BackupView[] | null>(null);
/** How many there may be, and which automated ones stay. */
export const $limits = atom<{ most: number; retention: RetentionRules } | null>(null);
/** Why they could not be loaded. */
export const $problem = atom<ApiError | null>(null);
/** What was last in progress on each backup, by ID: what failed when one has an error now. */
export const $lastWork = atom<Readonly<Record<string, BackupState>>>({});
/** Backups whose state changed with the latest news. */
export const $changed = atom<readonly BackupView[]>([]);
/** Requests under way: an action and the backup. */
export const $waiting = atom<readonly string[]>([]);
