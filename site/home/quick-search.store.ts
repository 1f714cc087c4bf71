import { atom } from 'nanostores';
import type { QuickSearchView } from './view.ts';

/** What the small search found last; null until something was asked for, when the server's is shown. */
export const $quickSearch = atom<QuickSearchView | null>(null);
/** Why what is shown is from before; null when it is not. */
export const $stale = atom<string | null>(null);
