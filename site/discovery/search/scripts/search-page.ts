import { hydrateIslands } from '../../../platform/ui/client-interaction.ts';
import { addressOf, isFiltered, parseState, type SearchState } from '../state.ts';
import { $view } from '../view.store.ts';
import type { View } from '../view.ts';
import { navigateWithArrows } from './arrow-navigation.ts';
import { createErrorBanner } from './error-banner.ts';
import { fetchResults } from './fetch-results.ts';
import { showCounts } from './filter-counts.ts';
import { describeFilters, nameChosen, startFilters } from './filters.ts';
import { fillForm, stateOfForm } from './form.ts';
import { onBack, write } from './history.ts';
import { createPageSize } from './page-size.ts';
import { renderResults } from './render-results.ts';
import { linkTabs, showTabs } from './tabs.ts';
import { showAllVersions } from './versions.ts';

type How = 'push' | 'replace' | 'keep';

const typing_ms = 100;
const screen = document.querySelector<HTMLElement>('.search')!;
const form = screen.querySelector<HTMLFormElement>('[data-search]')!;
const box = form.querySelector<HTMLInputElement>('[name=q]')!;
const showing = form.querySelector<HTMLElement>('[data-show]')!;
const base = form.dataset.base!;
const hl = new FormData(form).get('hl') as string | null;
const pageSize = createPageSize(screen);

/** The displayed request, and the newest one; equal once the answer is there. */
let displayed = form.dataset.query ?? '';
let latestRequest = displayed;
const trouble = createErrorBanner(form.querySelector('[data-stale]')!, () => void load());

const stateIn = (query: string) => parseState(new URLSearchParams(query));
/** The part of a state that the form can express: all but the page. */
const ofForm = (state: SearchState) => pageSize.requestOf({ ...state, page: 1 });

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
  const { title, address, showing: words, tabs, counts } = answer.view;
  document.title = title;
  showing.textContent = words;
  displayed = latestRequest;
  // the server corrects unknown values and the last page
  if (location.pathname === base) write('replace', address);
  showTabs(screen, tabs);
  showCounts(form, counts);
  describeFilters(form);
  await renderResults(screen, answer.view);
  return true;
}

/** Shows `state`: its address at once, its results when they arrive. */
async function show(state: SearchState, how: How): Promise<boolean> {
  latestRequest = pageSize.requestOf(state);
  if (how !== 'keep') write(how, addressOf(base, state, hl));
  notifyView(state);
  if (latestRequest === displayed) {
    trouble.hide();
    return true;
  }
  return await load();
}

/** Updates what follows the state without a request. */
function notifyView(state: SearchState): void {
  pageSize.show(state);
  nameChosen(form);
  describeFilters(form);
  linkTabs(screen, state.text);
}

/** Searches when the form differs from the requested state. Gives whether its results are displayed now. */
async function follow(how: How): Promise<boolean> {
  const before = stateIn(latestRequest);
  const state = { ...stateOfForm(form), size: pageSize.wanted(before) };
  if (ofForm(state) !== ofForm(before)) return await show(state, how);
  return displayed === latestRequest || (await load());
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
  if (name && name !== 'q') void follow('push');
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(resting);
  const isTyped = document.activeElement === box;
  void follow('push').then((there) => {
    if (there && isTyped) leaveIfElsewhere();
  });
  form.querySelector<HTMLElement>('[data-filters]')?.hidePopover();
});

/** Enter in the box: without hits here, to the type that has some. */
function leaveIfElsewhere(): void {
  const view = $view.get();
  const found = view ? view.nothing?.elsewhere : screen.querySelector('[data-elsewhere]');
  if (!found || isFiltered(stateOfForm(form))) return;
  const fields = [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]);
  location.assign(`${form.getAttribute('action')!}?${new URLSearchParams(fields)}`);
}

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
pageSize.onSwitch(() => void show(stateIn(latestRequest), 'keep'));
navigateWithArrows(form, box);
showing.textContent = showing.dataset.show!;
const first = stateIn(displayed);
pageSize.show(first);
if (stateIn(location.search).page !== first.page) write('replace', addressOf(base, first, hl));
void follow('replace'); // handles what was typed before this script was loaded
void show(stateIn(latestRequest), 'keep'); // and another view than the default
form.dataset.live = '';
