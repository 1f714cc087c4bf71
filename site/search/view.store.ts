import { atom } from 'nanostores';
import type { View } from './view.ts';

/** What was found last in this browser; null until something was asked for, when the server's is shown. */
export const $view = atom<View | null>(null);
