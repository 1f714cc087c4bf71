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
  const asked = useRef(ofForm(first.state));
  const show = useCallback(
    (state: SearchState, how: How) => {
      asked.current = ofForm(state);
      if (how === 'push') history.pushState(null, '', addressOf(base, state, hl));
      if (how === 'replace') history.replaceState(history.state, '', addressOf(base, state, hl));
      void ask(state, type, { title: failedTitle, text: failedText });
    },
    [type, base, hl, failedTitle, failedText],
  );
  useEffect(() => {
    const form = theForm();
    if (!form) return;
    const change = (how: How) => {
      const state = stateOfForm(form);
      if (ofForm(state) !== asked.current) show(state, how);
    };
    const back = () => {
      const state = parseState(new URLSearchParams(location.search));
      if (queryOf(state) === queryOf(($found.get() ?? first).state)) return;
      fillForm(form, state);
      show(state, 'keep');
    };
    change('replace'); // what was written before this script came
    return listen(form, change, back);
  }, [first, show]);
  const go = useCallback(
    (state: SearchState) => {
      const form = theForm();
      if (form) fillForm(form, state);
      show(state, 'push');
    },
    [show],
  );
  return { go };
}

function listen(form: HTMLFormElement, change: (how: How) => void, back: () => void): () => void {
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
    if (name === 'h') form.submit();
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
