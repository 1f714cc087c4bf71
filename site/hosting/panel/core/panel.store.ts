import { atom } from 'nanostores';
import type { NoticeView } from '#db/hosting/notices/view.ts';
import type { OperationView } from '#db/hosting/servers/operation-view.ts';
import type { PersonHere } from '#db/hosting/servers/people/view.ts';
import type { PowerAction, ServerAccess } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import type { Refusal } from '../../shared/socket.ts';
import { type Console, emptyConsole } from './apply-update.ts';
import type { Sample } from './stats.ts';

/** The state of an open panel; written by `connection.ts` and `actions.ts`, rendered by the islands. */

/** `gone` is final until the page is reloaded. */
export type Connection = 'opening' | 'open' | 'lost' | 'gone';

export const $server = atom<ServerView | null>(null);
/** What the user may do on it; null before it is known. */
export const $access = atom<ServerAccess | null>(null);
/** Who has its panel open, the user too. */
export const $present = atom<readonly PersonHere[]>([]);
export const $connection = atom<Connection>('opening');
/** Why access was lost. */
export const $accessLost = atom<Refusal | null>(null);
export const $console = atom<Console>(emptyConsole);
/** Whether the console was received at least once. */
export const $consoleLoaded = atom(false);
export const $loadingHistory = atom(false);
export const $samples = atom<readonly Sample[]>([]);
/** What the newest event of an operation said. */
export const $operation = atom<OperationView | null>(null);
/** Null until the page is alive: before that it shows those that it was sent with. */
export const $notices = atom<readonly NoticeView[] | null>(null);
/** An action sent and not answered yet, or within its lock time. */
export const $pendingAction = atom<PowerAction | null>(null);
/** The pending action until the state of the server changes: its badge shows already what follows. */
export const $unreportedAction = atom<PowerAction | null>(null);
