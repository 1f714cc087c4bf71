import { atom } from 'nanostores';
import type { SampleView } from './view.ts';

/** What the small search found last; null until something was asked for, when the server's is shown. */
export const $sample = atom<SampleView | null>(null);
/** Why what is shown is from before; null when it is not. */
export const $stale = atom<string | null>(null);
