import { atom } from 'nanostores';
import type { ReactNode } from 'react';
import type { ChipView, HitView } from './view.ts';

/** What another part of the site adds to the results in this browser; usually nothing. */

/** Drawn at the end of each project. */
export const $hitAction = atom<((props: { hit: HitView }) => ReactNode) | null>(null);
/** Drawn in place of each active filter. */
export const $chip = atom<((props: { chip: ChipView }) => ReactNode) | null>(null);
