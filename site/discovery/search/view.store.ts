import { atom } from 'nanostores';
import type { View } from './view.ts';

/** The newest results in this browser; null until the first request, while the server's are shown. */
export const $view = atom<View | null>(null);
