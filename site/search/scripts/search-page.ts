import { hydrateIslands } from '../../ui/client-interaction.ts';
import { addressOf, parseState, queryOf, type SearchState } from '../state.ts';
import type { View } from '../view.ts';
import { navigateWithArrows } from './arrow-navigation.ts';
import { createErrorBanner } from './error-banner.ts';
import { fetchResults } from './fetch-results.ts';
import { nameChosen, startFilters } from './filters.ts';
import { fillForm, stateOfForm } from './form.ts';
import { onBack, write } from './history.ts';
import { sizeByView } from './page-size.ts';
import { renderResults } from './render-results.ts';
import { showAllVersions } from './versions.ts';

type How = 'push' | 'replace' | 'keep';

const typing_ms = 100;
const screen = document.querySelector<HTMLElement>('.search')!;
const form = screen.querySelector<HTMLFormElement>('[data-search]')!;
const box = form.querySelector<HTMLInputElement>('[name=q]')!;
const showing = form.querySelector<HTMLElement>('[data-show]')!;
const base = form.getAttribute('action')!;
const hl = new FormData(form).get('hl') as string | null;

/** The displayed query, and the one requested last; equal once the answer is there. */
let displayed = form.dataset.query ?? '';
let latestRequest = displayed;
const trouble = createErrorBanner(form.querySelector('[data-stale]')!, () => void load());

const stateIn = (query: string) => parseState(new URLSearchParams(query));
/** The part of a state that the form can express: all but the page. */
const ofForm = (state: SearchState) => queryOf({ ...state, page: 1 });

/** Fetches the requested state and renders it. Gives whether it is displayed now. */
async function load(): Promise<boolean> {
  hydrateIslands(form);
  const query = new URLSearchParams(latestRequest);
  if (hl) query.set('hl', hl);
  const requested = latestRequest;
  const answer = await fetchResults<View>(base, query.toString());
  if (!answer || requested !== latestRequest) return false;
  if ('error' in answer) {
    trouble.show(answer.error, answer.wait_ms);
    return false;
  }
  trouble.hide();
  const { title, address, showing: words } = answer.view;
  document.title = title;
  showing.textContent = words;
  displayed = latestRequest;
  // the server corrects unknown values and the last page
  if (location.pathname === base) write('replace', address);
  await renderResults(screen, answer.view);
  return true;
}

/** Shows `state`: its address at once, its results when they arrive. */
async function show(state: SearchState, how: How): Promise<boolean> {
  latestRequest = queryOf(state);
  if (how !== 'keep') write(how, addressOf(base, state, hl));
  notifyView(state);
  if (latestRequest === displayed) {
    trouble.hide();
    return true;
  }
  return await load();
}

/**
 * Updates what follows the state without a request: links to other types keep the words, headings show the selection.
 */
function notifyView(state: SearchState): void {
  nameChosen(form);
  for (const link of screen.querySelectorAll<HTMLAnchorElement>('[data-kinds] a')) {
    const query = new URLSearchParams(link.search);
    if (state.text.trim()) query.set('q', state.text.trim());
    else query.delete('q');
    link.search = query.toString();
  }
}

/** Searches when the form differs from the requested state. */
function follow(how: How): void {
  const state = stateOfForm(form);
  if (ofForm(state) !== ofForm(stateIn(latestRequest))) void show(state, how);
}

let resting: ReturnType<typeof setTimeout> | undefined;
const typed = () => {
  clearTimeout(resting);
  resting = setTimeout(follow, typing_ms, 'replace');
};
box.addEventListener('input', (event) => {
  if (!(event as InputEvent).isComposing) typed(); // no request while an input method is composing
});
box.addEventListener('compositionend', typed);

form.addEventListener('change', (event) => {
  const { name, checked } = event.target as HTMLInputElement;
  if (name === 'h') void toggleVersions(checked);
  if (name && name !== 'q') follow('push');
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(resting);
  const state = stateOfForm(form);
  if (ofForm(state) === ofForm(stateIn(latestRequest)) && displayed !== latestRequest) void load();
  else follow('push');
  form.querySelector<HTMLElement>('[data-filters]')?.hidePopover();
});

async function toggleVersions(all: boolean): Promise<void> {
  const list = form.querySelector<HTMLElement>('#versions');
  const { title = '', text = '' } = form.querySelector<HTMLElement>('[data-all-versions]')?.dataset ?? {};
  if (list) await showAllVersions(list, all, { title, text });
  form.querySelector('[data-narrow] input')?.dispatchEvent(new Event('input')); // new options are filtered too
}

// chips, pages and all other links to this page
screen.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('[data-part] a[href]');
  if (!link || link.pathname !== base || link.origin !== location.origin) return;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const state = stateIn(link.search);
  const turns = link.closest('[data-part=bottom], [data-part=turn]') !== null;
  fillForm(form, state);
  void show(state, 'push').then((there) => {
    if (there && turns) toTop();
  });
});

/** After a page change, scrolls to the first result. */
function toTop(): void {
  const { top } = form.getBoundingClientRect();
  if (top < 0) scrollBy({ top, behavior: 'instant' });
  form.querySelector<HTMLElement>('[data-heading]')!.focus({ preventScroll: true });
}

onBack((restore) => {
  const state = stateIn(location.search);
  fillForm(form, state);
  void show(state, 'keep').then(restore);
});

startFilters(form);
sizeByView(screen, () => follow('replace'));
navigateWithArrows(form, box);
notifyView(stateIn(displayed));
showing.textContent = showing.dataset.show!;
if (stateIn(location.search).page !== stateIn(displayed).page)
  write('replace', addressOf(base, stateIn(displayed), hl));
follow('replace'); // handles what was typed before this script was loaded
form.dataset.live = '';
