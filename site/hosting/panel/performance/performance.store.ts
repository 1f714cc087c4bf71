import { atom } from 'nanostores';
import type { FigureRange } from '#db/hosting/servers/figures/rules.ts';
import type { FiguresView } from '#db/hosting/servers/figures/view.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import { requestFromPanel } from '../core/open-panel.ts';

/** What the server of the open panel used in the chosen period. */
export type Range = 'live' | FigureRange;
export const $range = atom<Range>('day');
/** Of the chosen range; null while it is loaded, and for `live`. */
export const $figures = atom<FiguresView | null>(null);
/** Why they could not be loaded. */
export const $problem = atom<ApiError | null>(null);
export const $asTable = atom(false);

/** Loads what the chosen range shows; the answer for another one than is chosen by then is left out. */
export async function loadFigures(): Promise<void> {
  const range = $range.get();
  if (range === 'live') return;
  const result = await requestFromPanel('figures.show', { range });
  if ($range.get() !== range) return;
  if (result.ok) {
    $problem.set(null);
    $figures.set(result.data.figures);
  } else $problem.set(result.error.status === 0 ? null : result.error);
}

export function chooseRange(range: Range): void {
  if ($range.get() === range) return;
  $range.set(range);
  $figures.set(null);
  $problem.set(null);
  void loadFigures();
}
