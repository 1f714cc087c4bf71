import { atom } from 'nanostores';
import type { RunView, ScheduleView } from '#db/hosting/servers/schedules/view.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';

/** The schedules of the open panel; written by `follow.ts` and `actions.ts`. */

/** By name; null until they were received once. */
export const $schedules = atom<readonly ScheduleView[] | null>(null);
export const $most = atom(20);
/** Why they could not be loaded. */
export const $problem = atom<ApiError | null>(null);
/** Requests under way: an action and the schedule. */
export const $waiting = atom<readonly string[]>([]);
/** The schedule whose history is open, and its runs; null while they are loaded. */
export const $history = atom<{ id: string; runs: readonly RunView[] | null } | null>(null);
