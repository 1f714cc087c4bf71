import { atom } from 'nanostores';
import type { FigureRange } from '#db/hosting/servers/figures/rules.ts';
import { panelResource } from '../core/resource.ts';

/** What the server of the open panel used in the chosen period. */
export type Range = 'live' | FigureRange;
export const $range = atom<Range>('day');
export const $asTable = atom(false);

/** Of the chosen range; null while it is loaded, and for `live`. */
export const {
  $data: $figures,
  $problem,
  load: loadFigures,
} = panelResource({
  event: 'figures.show',
  message() {
    const range = $range.get();
    return range === 'live' ? null : { range };
  },
  read: ({ figures }) => figures,
});

export function chooseRange(range: Range): void {
  if ($range.get() === range) return;
  $range.set(range);
  $figures.set(null);
  $problem.set(null);
  void loadFigures();
}
