import { atom } from 'nanostores';
import type { NoticeView } from '#db/notices/view.ts';
import type { PowerAction } from '#db/servers/rules.ts';
import type { ServerView } from '#db/servers/view.ts';
import type { Refusal } from '../shared/socket.ts';
import { type Console, emptyConsole } from './console/apply-update.ts';
import type { Sample } from './console/stats.ts';

/** What an open panel knows; filled by `join.ts` and `actions.ts`, shown by the islands. */

/** `gone` is for good until the page is loaded again. */
export type Connection = 'opening' | 'open' | 'lost' | 'gone';

export const $server = atom<ServerView | null>(null);
export const $connection = atom<Connection>('opening');
/** Why the line is gone, or what the last thing asked for was refused with. */
export const $accessLost = atom<Refusal | null>(null);
export const $refused = atom<Refusal | null>(null);
export const $console = atom<Console>(emptyConsole);
/** Whether the console was heard of at least once. */
export const $consoleLoaded = atom(false);
export const $loadingHistory = atom(false);
export const $samples = atom<readonly Sample[]>([]);
export const $notices = atom<readonly NoticeView[]>([]);
/** An action sent and not yet answered, or within its lock. */
export const $pendingAction = atom<PowerAction | null>(null);
