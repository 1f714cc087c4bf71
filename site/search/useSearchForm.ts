import { useCallback, useEffect, useRef } from 'react';
import { fillForm, stateOfForm } from './form.ts';
import { $found, addressOf, ask, type Found } from './search.store.ts';
import { parseState, queryOf, type SearchState } from './state.ts';

interface Options {
  first: Found;
  type: string;
  base: string;
  hl: string | null;
  /** The message when the search did not work. */
  failedTitle: string;
  failedText: string;
}
type How = 'push' | 'replace' | 'keep';

const typing_ms = 120;
const theForm = () => document.querySelector<HTMLFormElement>('[data-search]');
/** What a form can say of a state: all but the page. */
const ofForm = (state: SearchState) => queryOf({ ...state, page: 1 });

/**
 * Ties the form of a search screen to its results: every change asks at once (text after a short rest), the address
 * follows, and going back shows what was there. `go` shows a state chosen elsewhere, such as another page.
 */
export function useSearchForm(options: Options): { go(state: SearchState): void } {
  const { first, type, base, hl, failedTitle, failedText } = options;
  const asked = useRef<string | null>(ofForm(first.state));
  const show = useCallback(
    async (state: SearchState, how: How) => {
      asked.current = ofForm(state);
      const address = addressOf(base, state, hl);
      const there = address === location.pathname + location.search;
      if (how === 'push' && !there) history.pushState(null, '', address);
      if (how === 'replace' && !there) history.replaceState(history.state, '', address);
      const failed = await ask(state, type, { title: failedTitle, text: failedText });
      if (failed) asked.current = null; // so that the same may be asked once more
    },
    [type, base, hl, failedTitle, failedText],
  );
  useEffect(() => {
    const form = theForm();
    if (!form) return;
    const change = (how: How) => {
      const state = stateOfForm(form);
      if (ofForm(state) !== asked.current) void show(state, how);
    };
    const back = () => {
      const state = parseState(new URLSearchParams(location.search));
      if (queryOf(state) === queryOf(($found.get() ?? first).state)) return;
      fillForm(form, state);
      void show(state, 'keep');
    };
    const reload = () => location.assign(addressOf(base, stateOfForm(form), hl));
    change('replace'); // what was written before this script came
    return listen(form, { change, back, reload });
  }, [first, base, hl, show]);
  const go = useCallback(
    (state: SearchState) => {
      const form = theForm();
      if (form) fillForm(form, state);
      void show(state, 'push');
    },
    [show],
  );
  return { go };
}

interface Reactions {
  change(how: How): void;
  back(): void;
  /** Lets the server draw the form anew: it alone knows all game versions. */
  reload(): void;
}

function listen(form: HTMLFormElement, { change, back, reload }: Reactions): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const on = (name: string, react: (event: Event) => void) => form.addEventListener(name, react, { signal });
  on('input', (event) => {
    if ((event.target as HTMLInputElement).name !== 'q') return;
    clearTimeout(resting);
    resting = setTimeout(() => change('replace'), typing_ms);
  });
  on('change', (event) => {
    const { name } = event.target as HTMLInputElement;
    if (name === 'h') reload();
    else if (name && name !== 'q') change('push');
  });
  on('submit', (event) => {
    event.preventDefault();
    clearTimeout(resting);
    change('push');
    form.querySelector<HTMLElement>('[popover]')?.hidePopover();
  });
  addEventListener('popstate', back, { signal });
  form.dataset.live = '';
  return () => ending.abort();
}
