import { $cosmetics } from '../../cosmetics/cosmetics.store.ts';
import type { DisplayMode, DisplayType } from '../../cosmetics/cosmetics.ts';
import { exactNumber } from '../../text/format.ts';
import { pageLanguage } from '../../text/page-language.ts';
import { sizesOf } from '../state.ts';

/**
 * Each view has its own page sizes: switching the view also selects the nearest size, and calls `changed`. The size in
 * the address stays until the user chooses.
 */
export function sizeByView(screen: HTMLElement, changed: () => void): void {
  const kind = screen.dataset.kind as DisplayType;
  const select = screen.querySelector<HTMLSelectElement>('select[name=m]')!;
  let known: DisplayMode | null = null;

  function offer(sizes: readonly number[], size: number): void {
    select.replaceChildren(
      ...[...new Set([...sizes, size])]
        .sort((a, b) => a - b)
        .map((one) => new Option(exactNumber(pageLanguage, one), String(one), false, one === size)),
    );
  }

  $cosmetics.subscribe(({ searchDisplayMode }) => {
    const view = searchDisplayMode[kind];
    if (view === known) return;
    const size = Number(select.value);
    const near = known ? nearest(sizesOf[view], size) : size;
    known = view;
    offer(sizesOf[view], near);
    if (near !== size) changed();
  });
}

const nearest = (sizes: readonly number[], size: number): number =>
  sizes.reduce((best, one) => (Math.abs(one - size) < Math.abs(best - size) ? one : best));
