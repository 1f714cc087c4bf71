import { ask } from '../search/scripts/ask.ts';
import { wakeIslands } from '../ui/client-use.ts';
import { $sample, $stale } from './sample.store.ts';
import type { SampleView } from './view.ts';

const pause_ms = 120;

/** The small search of the home page: answers while one types; what was found stays until something newer is there. */
function live(form: HTMLFormElement): void {
  const troubles = JSON.parse(form.dataset.live!) as Record<string, string>;
  let asked = queryOf(form);
  let soon: ReturnType<typeof setTimeout> | undefined;

  async function search(): Promise<void> {
    asked = queryOf(form);
    wakeIslands(form.parentElement!);
    const answer = await ask<SampleView>('', asked);
    if (!answer) return;
    $stale.set('trouble' in answer ? (troubles[answer.trouble] ?? null) : null);
    if ('view' in answer) $sample.set(answer.view);
    else asked = '';
  }
  const later = (pause: number) => {
    clearTimeout(soon);
    if (queryOf(form) !== asked) soon = setTimeout(search, pause);
  };
  form.addEventListener('input', ({ target }) => later(target instanceof HTMLSelectElement ? 0 : pause_ms));
  form.addEventListener('submit', () => clearTimeout(soon));
  addEventListener('online', search);
  if (!isAsMade(form)) void search();
}

/** Not so when somebody was quicker than this script, or the browser kept the fields of an earlier visit. */
const isAsMade = (form: HTMLFormElement): boolean =>
  [...form.elements].every((field) => {
    if (field instanceof HTMLInputElement) return field.value === field.defaultValue;
    if (field instanceof HTMLSelectElement) return field.selectedOptions[0]?.defaultSelected !== false;
    return true;
  });

const queryOf = (form: HTMLFormElement): string =>
  new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])).toString();

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-live]')) live(form);
