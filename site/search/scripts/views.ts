import { $cosmetics, preferDisplay } from '../../cosmetics/cosmetics.store.ts';
import type { DisplayMode, DisplayType } from '../../cosmetics/cosmetics.ts';
import { exactNumber } from '../../text/format.ts';
import { sizesOf } from '../state.ts';

/**
 * List, grid or gallery, remembered for each kind. Each has its own sizes of pages: choosing a view also chooses the
 * nearest of them, and `changed` is told. What the address asks for stays as long as one chooses nothing.
 */
export function startViews(screen: HTMLElement, changed: () => void): void {
  const kind = screen.dataset.kind as DisplayType;
  const buttons = screen.querySelectorAll<HTMLButtonElement>('[data-view]');
  const select = screen.querySelector<HTMLSelectElement>('select[name=m]')!;
  const { lang: locale, dataset } = document.documentElement;
  const messages = { locale, formatting: dataset.formatting ?? locale, t: (key: string) => key };

  function offer(sizes: readonly number[], size: number): void {
    select.replaceChildren(
      ...[...new Set([...sizes, size])]
        .sort((a, b) => a - b)
        .map((one) => new Option(exactNumber(messages, one), String(one), false, one === size)),
    );
  }

  $cosmetics.subscribe(({ searchDisplayMode }) => {
    const view = searchDisplayMode[kind];
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.view === view));
    offer(sizesOf[view], Number(select.value));
  });
  for (const button of buttons) {
    button.addEventListener('click', () => {
      const view = button.dataset.view as DisplayMode;
      if ($cosmetics.get().searchDisplayMode[kind] === view) return;
      const size = Number(select.value);
      const near = sizesOf[view].reduce((best, one) =>
        Math.abs(one - size) < Math.abs(best - size) ? one : best,
      );
      preferDisplay(kind, view);
      offer(sizesOf[view], near);
      if (near !== size) changed();
    });
  }
}
