import { $cosmetics } from '../../../platform/cosmetics/cosmetics.store.ts';
import type { DisplayMode, DisplayType } from '../../../platform/cosmetics/cosmetics.ts';
import { exactNumber } from '../../../platform/text/format.ts';
import { pageLanguage } from '../../../platform/text/page-language.ts';
import { defaultView, queryOf, type SearchState, shownSize, sizesOf } from '../state.ts';

/**
 * The page sizes of a list whose layout the visitor can switch: each view offers its own, and shows the one nearest to
 * the wanted size. The wanted size changes only when the visitor chooses one, so switching back restores it.
 */
export function createPageSize(screen: HTMLElement) {
  const kind = screen.dataset.kind as DisplayType;
  const select = screen.querySelector<HTMLSelectElement>('select[name=m]')!;
  const currentView = (): DisplayMode => $cosmetics.get().searchDisplayMode[kind];
  const shown = ({ size }: SearchState) => shownSize(currentView(), size);

  return {
    /** The wanted size: that of `before`, unless another one was chosen in the form. */
    wanted(before: SearchState): number {
      const chosen = Number(select.value);
      return chosen === shown(before) ? before.size : chosen;
    },
    /** Offers the sizes of the current view. */
    show(state: SearchState): void {
      const size = shown(state);
      const offered = sizesOf[currentView()];
      if (
        select.options.length === offered.length &&
        offered.every((one, at) => select.options[at]!.value === `${one}`)
      )
        select.value = String(size);
      else
        select.replaceChildren(
          ...offered.map(
            (one) => new Option(exactNumber(pageLanguage, one), String(one), false, one === size),
          ),
        );
    },
    /** The query that requests the results of `state`: the view is in it where it changes them. */
    requestOf(state: SearchState): string {
      const query = new URLSearchParams(queryOf(state));
      if (shown(state) !== shownSize(defaultView(kind), state.size)) query.set('view', currentView());
      return query.toString();
    },
    /** Calls `changed` when the visitor switches the view. */
    onSwitch(changed: () => void): void {
      let known = currentView();
      $cosmetics.listen(() => {
        if (currentView() === known) return;
        known = currentView();
        changed();
      });
    },
  };
}
