import { atom } from 'nanostores';
import type { QuickSearchView } from './view.ts';

/** The newest results of the quick search; null until the first request, while the server's are shown. */
export const $quickSearch = atom<QuickSearchView | null>(null);
/** Why the displayed results are outdated, unless the page's banner says it; null when they are not. */
export const $stale = atom<string | null>(null);
