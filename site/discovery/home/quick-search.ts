import { readMessages } from '../../platform/text/message-reader.ts';
import { hydrateIslands } from '../../platform/ui/client-interaction.ts';
import { fetchResults } from '../search/scripts/fetch-results.ts';
import { $quickSearch, $stale } from './quick-search.store.ts';
import type { QuickSearchView } from './view.ts';

const pause_ms = 120;

/** The quick search of the home page: searches while the visitor types; results stay until newer ones arrive. */
function startQuickSearch(form: HTMLFormElement): void {
  const { t } = readMessages<'home.live_'>(form);
  let requested = queryOf(form);
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function search(): Promise<void> {
    requested = queryOf(form);
    hydrateIslands(form.parentElement!);
    const answer = await fetchResults<QuickSearchView>('', requested);
    if (!answer) return;
    $stale.set('error' in answer ? t(`home.live_${answer.error}`) : null);
    if ('view' in answer) $quickSearch.set(answer.view);
    else requested = '';
  }
  const later = (pause: number) => {
    clearTimeout(timer);
    if (queryOf(form) !== requested) timer = setTimeout(search, pause);
  };
  form.addEventListener('input', ({ target }) => later(target instanceof HTMLSelectElement ? 0 : pause_ms));
  form.addEventListener('submit', () => clearTimeout(timer));
  addEventListener('online', search);
  if (!isAsMade(form)) void search();
}

/**
 * False when the visitor typed before this script was loaded, or the browser restored the fields of an earlier visit.
 */
const isAsMade = (form: HTMLFormElement): boolean =>
  [...form.elements].every((field) => {
    if (field instanceof HTMLInputElement) return field.value === field.defaultValue;
    if (field instanceof HTMLSelectElement) return field.selectedOptions[0]?.defaultSelected !== false;
    return true;
  });

const queryOf = (form: HTMLFormElement): string =>
  new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])).toString();

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-live]')) startQuickSearch(form);
