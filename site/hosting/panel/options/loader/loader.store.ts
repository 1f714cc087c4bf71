import { atom } from 'nanostores';
import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import type { ApiError } from '../../../../platform/browser/api-client.ts';
import type { Result } from '../../../shared/request.ts';

/** What the open panel knows of game version and loader; written by `follow.ts` and `actions.ts`. */

/** What the server can be; null until it was received once. */
export const $loader = atom<Result<'loader.show'> | null>(null);
/** The newest change of the server. */
export const $change = atom<ChangeView | null>(null);
/** Why it could not be loaded. */
export const $problem = atom<ApiError | null>(null);
/** The request under way. */
export const $waiting = atom<'change' | 'cancel' | 'undo' | null>(null);
