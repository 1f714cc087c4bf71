import { requestFrom } from '../../../platform/browser/api-client.ts';
import { bindCombobox, createListbox } from '../../../platform/suggest/listbox.ts';
import { marked } from '../../../platform/suggest/suggestion-row.ts';
import { readMessages } from '../../../platform/text/message-reader.ts';
import { docsEngine, type Found } from './engine.ts';
import type { Section } from './sections.ts';

const most = 8;

/** The sections of the handbooks that the form names; fails without a connection. */
async function load(form: HTMLFormElement): Promise<ReturnType<typeof docsEngine>> {
  const answers = await Promise.all(form.dataset.indexes!.split(' ').map((path) => requestFrom(path)));
  if (!answers.every((answer) => answer?.ok)) throw new Error('The index of the search has no answer');
  const sections = await Promise.all(answers.map((answer) => answer!.json() as Promise<Section[]>));
  return docsEngine(sections.flat());
}

/**
 * Turns the search box of the handbooks into a combobox whose options are sections. The index is loaded once; after a
 * failure the next letter tries again. Enter without a chosen option opens the first one.
 */
export function start(form: HTMLFormElement, box: HTMLInputElement): void {
  const part = <T extends HTMLElement>(name: string) => form.querySelector<T>(`[data-${name}]`)!;
  const [panel, list, note, said] = [part('panel'), part('list'), part('note'), part('said')];
  const row = part<HTMLTemplateElement>('row');
  const { t, count } = readMessages<'docs.search_'>(form);
  let engine: ReturnType<typeof load> | null = null;
  const listbox = createListbox(box, list);
  let asked = 0;

  function optionOf({ heading, page, path, excerpt }: Found, at: number, query: string): HTMLElement {
    const option = row.content.firstElementChild!.cloneNode(true) as HTMLElement;
    const set = (name: string, text: string) =>
      option.querySelector(`[data-${name}]`)!.replaceChildren(...marked(text, query));
    option.id = `docs-found-${at}`;
    option.setAttribute('href', path.replace(/(?=#|$)/, form.dataset.query ?? ''));
    set('heading', heading);
    set('excerpt', excerpt);
    option.querySelector('[data-page]')!.textContent = page === heading ? '' : page;
    return option;
  }

  function show(next: HTMLElement[], text: string, announced = text): void {
    listbox.show(next);
    note.textContent = text;
    note.hidden = text === '';
    panel.hidden = false;
    said.textContent = announced;
  }

  function close(): void {
    asked += 1;
    listbox.show([]);
    panel.hidden = true;
    said.textContent = '';
  }

  async function find(): Promise<void> {
    const query = box.value.trim();
    if (query === '') return close();
    asked += 1;
    const turn = asked;
    if (!engine) {
      engine = load(form);
      show([], t('docs.search_loading'));
    }
    try {
      const found = (await engine).find(query, most);
      if (turn !== asked) return;
      if (found.length === 0) show([], t('docs.search_none', { query }));
      else
        show(
          found.map((one, at) => optionOf(one, at, query)),
          '',
          count('docs.search_found', found.length),
        );
    } catch {
      engine = null;
      if (turn === asked) show([], t('docs.search_failed'));
    }
  }

  const enter = () => {
    (listbox.chosen() ?? listbox.first())?.click();
    return true;
  };
  bindCombobox({ form, box, panel, listbox, request: () => void find(), close, enter });
  list.addEventListener('click', close);
  engine = load(form).catch((error: Error) => {
    engine = null;
    throw error;
  });
  engine.catch(() => {}); // the first letter says so
  if (box.value.trim() !== '') void find();
}
