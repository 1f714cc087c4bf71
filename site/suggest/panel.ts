import { readMessages } from '../text/message-reader.ts';
import type { Suggestion } from './suggestion-client.ts';
import { isolated, marked, suggestionRow } from './suggestion-row.ts';

/** The panel below a search box: a message or the projects found, one of which may be the active option. */
export function createPanel(form: HTMLFormElement, box: HTMLInputElement) {
  const part = <T extends HTMLElement>(name: string) => form.querySelector<T>(`[data-${name}]`)!;
  const { t, parts, isPlain } = readMessages<'suggest.' | 'kinds.'>(form);
  const paths = JSON.parse(form.dataset.paths!) as Record<string, string>;
  const [panel, list, note, said] = [part('panel'), part('list'), part('note'), part('said')];
  const [shape, allShape] = [part<HTMLTemplateElement>('project'), part<HTMLTemplateElement>('all')];
  const rows = new Map<string, HTMLElement>();
  let options: HTMLElement[] = [];
  let chosen = -1;

  /** A local address in the language of the page. */
  function address(path: string, query: Record<string, string> = {}): string {
    const hl = new FormData(form).get('hl');
    const search = new URLSearchParams({ ...(hl ? { hl: String(hl) } : {}), ...query });
    return search.size > 0 ? `${path}?${search}` : path;
  }

  /** Its kind and its author. */
  function byline({ project_type, author }: Suggestion): Array<Node | string> {
    const key = `kinds.${project_type}`;
    const kind = isPlain(key) ? t(key as 'kinds.mod') : '';
    return parts<Node | string>('suggest.by', { kind, author: isolated(author) });
  }

  /** A project keeps its row element from one answer to the next, so that icons do not flicker. */
  function projectRow(project: Suggestion, query: string): HTMLElement {
    const { project_id, project_type, slug, title } = project;
    const row = rows.get(project_id) ?? suggestionRow(shape, project, byline(project));
    rows.set(project_id, row);
    row.setAttribute('href', address(`/${project_type}/${encodeURIComponent(slug)}`));
    row.querySelector('[data-title]')!.replaceChildren(...marked(title, query));
    return row;
  }

  function allRow(query: string): HTMLElement {
    const row = allShape.content.firstElementChild!.cloneNode(true) as HTMLElement;
    row.setAttribute('href', address(form.getAttribute('action')!, { q: query }));
    row.querySelector('span')!.append(...parts('suggest.all', { query: isolated(query) }));
    return row;
  }

  /**
   * Sets the target of "all results" and of the form: the type of the current page if it has one, else the type of the
   * best suggestion.
   */
  function lead(projects: Suggestion[]): void {
    const { here } = form.dataset;
    const kind = projects.some(({ project_type }) => project_type === here)
      ? here
      : projects[0]?.project_type;
    const path = paths[kind ?? here ?? ''];
    if (path) form.setAttribute('action', path);
  }

  function choose(place: number): void {
    options[chosen]?.setAttribute('aria-selected', 'false');
    chosen = place;
    const option = options[place];
    if (!option) {
      box.removeAttribute('aria-activedescendant');
      return;
    }
    option.setAttribute('aria-selected', 'true');
    option.scrollIntoView({ block: 'nearest' });
    box.setAttribute('aria-activedescendant', option.id);
  }

  function open(next: HTMLElement[], text: Array<Node | string>): void {
    choose(-1);
    options = next;
    for (const [place, option] of options.entries()) option.id = `suggestion-${place}`;
    list.replaceChildren(...options);
    list.hidden = options.length === 0;
    note.replaceChildren(...text);
    note.hidden = text.length === 0;
    panel.hidden = false;
    panel.scrollIntoView({ block: 'nearest' }); // on a phone's first page the panel starts low
    panel.removeAttribute('aria-busy');
    box.setAttribute('aria-expanded', String(options.length > 0));
  }

  return {
    isOpen: () => !panel.hidden,
    chosen: () => options[chosen] ?? null,
    choose,
    /** Moves the active option by `step`; between last and first comes the typed text. */
    move(step: 1 | -1): void {
      const positions = options.length + 1;
      choose(((chosen + 1 + step + positions) % positions) - 1);
    },
    /** Moves an existing active option to the first or last; gives whether there was one. */
    jump(to: 'first' | 'last'): boolean {
      if (chosen < 0) return false;
      choose(to === 'first' ? 0 : options.length - 1);
      return true;
    },
    found(query: string, projects: Suggestion[]): void {
      lead(projects);
      if (projects.length > 0) open([...projects.map((one) => projectRow(one, query)), allRow(query)], []);
      else open([], parts('suggest.none', { query: isolated(query) }));
      said.textContent = t('suggest.found', { count: projects.length });
    },
    failed(query: string, why: 'failed' | 'offline'): void {
      const text = t(why === 'failed' ? 'suggest.failed' : 'suggest.offline');
      open([allRow(query)], [text]);
      said.textContent = text;
    },
    waits(): void {
      if (panel.hidden) open([], [t('suggest.waiting')]);
      panel.setAttribute('aria-busy', 'true');
    },
    /** Clears the live region, so that the same announcement is read out again. */
    hush: () => said.replaceChildren(),
    close(): void {
      choose(-1);
      panel.hidden = true;
      box.setAttribute('aria-expanded', 'false');
      said.replaceChildren();
    },
  };
}
