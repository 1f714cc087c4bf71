import { marked } from '../../suggest/suggestion-row.ts';
import { readMessages } from '../../text/message-reader.ts';
import { docsEngine, type Found } from './engine.ts';
import type { Section } from './sections.ts';

const most = 8;

/** The sections of the handbooks that the form names; fails without a connection. */
async function load(form: HTMLFormElement): Promise<ReturnType<typeof docsEngine>> {
  const answers = await Promise.all(form.dataset.indexes!.split(' ').map((path) => fetch(path)));
  const bad = answers.find(({ ok }) => !ok);
  if (bad) throw new Error(`${bad.url} answered ${bad.status}`);
  const sections = await Promise.all(answers.map((answer) => answer.json() as Promise<Section[]>));
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
  let options: HTMLElement[] = [];
  let chosen = -1;
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

  function choose(at: number): void {
    options[chosen]?.setAttribute('aria-selected', 'false');
    chosen = at;
    options[at]?.setAttribute('aria-selected', 'true');
    options[at]?.scrollIntoView({ block: 'nearest' });
    if (options[at]) box.setAttribute('aria-activedescendant', options[at].id);
    else box.removeAttribute('aria-activedescendant');
  }

  function show(next: HTMLElement[], text: string, announced = text): void {
    choose(-1);
    options = next;
    list.replaceChildren(...options);
    list.hidden = options.length === 0;
    note.textContent = text;
    note.hidden = text === '';
    panel.hidden = false;
    box.setAttribute('aria-expanded', String(options.length > 0));
    said.textContent = announced;
  }

  function close(): void {
    asked += 1;
    choose(-1);
    options = [];
    panel.hidden = true;
    box.setAttribute('aria-expanded', 'false');
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

  /** Between the last and the first option comes the typed text. */
  function move(step: 1 | -1): void {
    const positions = options.length + 1;
    choose(((chosen + 1 + step + positions) % positions) - 1);
  }

  const keys: Record<string, () => boolean> = {
    ArrowDown: () => {
      if (panel.hidden) void find();
      else move(1);
      return true;
    },
    ArrowUp: () => {
      if (!panel.hidden) move(-1);
      return !panel.hidden;
    },
    Enter: () => {
      (options[chosen] ?? options[0])?.click();
      return true;
    },
    Escape: () => {
      if (panel.hidden) box.value = '';
      close();
      return true;
    },
  };
  box.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (keys[event.key]?.()) event.preventDefault();
  });
  box.addEventListener('input', (event) => {
    if (!(event as InputEvent).isComposing) void find();
  });
  box.addEventListener('compositionend', () => void find());
  box.addEventListener('click', () => {
    if (panel.hidden) void find();
  });
  panel.addEventListener('mousedown', (event) => {
    if (event.button === 0) event.preventDefault(); // the box keeps the focus until the click
  });
  list.addEventListener('click', close);
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (document.hasFocus() && !form.contains(relatedTarget as Node | null)) close();
  });
  engine = load(form).catch((error: Error) => {
    engine = null;
    throw error;
  });
  engine.catch(() => {}); // the first letter says so
  if (box.value.trim() !== '') void find();
}
