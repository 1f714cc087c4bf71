import { atom } from 'nanostores';
import type {
  ChangeView,
  ContentItem,
  PackView,
  ServerContentType,
} from '#db/hosting/servers/content/view.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';

/** The content of the open panel's server; written by `follow.ts` and `actions.ts`. */
export interface ServerContent {
  items: readonly ContentItem[];
  /** Files beyond those that are listed. */
  more: number;
  /** What a change is based on. */
  revision: string;
  /** Types that the server loads. */
  types: readonly ServerContentType[];
  pack: PackView | null;
}

/** What asks for something before it is done. */
export type ContentDialog =
  | { kind: 'install'; project_id: string; version_id?: string }
  | { kind: 'update'; paths: readonly string[] | null }
  | { kind: 'versions'; path: string }
  | { kind: 'pack'; project_id: string; version_id?: string }
  | { kind: 'pack_versions' }
  | { kind: 'compare' };

/** null until it was received once. */
export const $content = atom<ServerContent | null>(null);
/** Newest first. */
export const $changes = atom<readonly ChangeView[]>([]);
/** Why the content could not be loaded. */
export const $problem = atom<ApiError | null>(null);
/** Keys of requests under way. */
export const $waiting = atom<readonly string[]>([]);
export const $dialog = atom<ContentDialog | null>(null);
/** The change that this page asked for last: its end is told, and can be taken back. */
export const $ownChange = atom<string | null>(null);
/** Whether a change is done that the running server has not loaded. */
export const $restartDue = atom(false);
