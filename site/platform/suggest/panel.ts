import { $outage } from '../browser/connection.store.ts';
import { readMessages } from '../text/message-reader.ts';
import { createListbox } from './listbox.ts';
import type { SuggestedPlace, SuggestedProject, Suggestions } from './suggestion-client.ts';
import { isolated, marked, placeRow, projectRow } from './suggestion-row.ts';

/** Less than this many pixels show too few suggestions. */
const least_room = 160;

/** The panel below a search box: a message or the suggestions, one of which may be the active option. */
export function createPanel(form: HTMLFormElement, box: HTMLInputElement) {
  const part = <T extends HTMLElement>(name: string) => form.querySelector<T>(`[data-${name}]`)!;
  const { t, parts, isPlain } = readMessages<'suggest.' | 'kinds.'>(form);
  const [panel, list, note, said] = [part('panel'), part('list'), part('note'), part('said')];
  const [shape, placeShape, allShape] = ['project', 'place', 'all'].map((name) =>
    part<HTMLTemplateElement>(name),
  ) as [HTMLTemplateElement, HTMLTemplateElement, HTMLTemplateElement];
  const rows = new Map<string, HTMLElement>();
  /** Where the page was before it was scrolled to show the panel, and is since. */
  let scrolled: { from: number; to: number } | null = null;

  /** Fits the panel between the box and the end of the window; only where that is no room the page moves. */
  function place(): void {
    const end = visualViewport?.height ?? innerHeight;
    const room = end - form.getBoundingClientRect().bottom - 16;
    panel.style.maxBlockSize = room < least_room ? '' : `min(32rem, ${room}px)`;
    if (room >= least_room) return;
    const from = scrolled?.from ?? scrollY;
    panel.scrollIntoView({ block: 'nearest' }); // on a phone's first page the panel starts low
    scrolled = { from, to: scrollY };
  }
  const listbox = createListbox(box, list);

  /** A local address in the language of the page. */
  function address(path: string): string {
    const hl = new FormData(form).get('hl');
    return hl ? `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ hl: String(hl) })}` : path;
  }

  /** Its kind and its author. */
  function byline({ project_type, author }: SuggestedProject): Array<Node | string> {
    const key = `kinds.${project_type}`;
    const kind = isPlain(key) ? t(key as 'kinds.mod') : '';
    return parts<Node | string>('suggest.by', { kind, author: isolated(author) });
  }

  /** A project keeps its row element from one answer to the next, so that icons do not flicker. */
  function rowOf(project: SuggestedProject, query: string): HTMLElement {
    const { project_id, project_type, slug, title } = project;
    const row = rows.get(project_id) ?? projectRow(shape, project, byline(project));
    rows.set(project_id, row);
    row.setAttribute('href', address(`/${project_type}/${encodeURIComponent(slug)}`));
    row.querySelector('[data-title]')!.replaceChildren(...marked(title, query));
    return row;
  }

  function rowOfPlace(place: SuggestedPlace, query: string): HTMLElement {
    const { type_name: type, path } = place;
    const row = placeRow(
      placeShape,
      place,
      query,
      type ? t('suggest.category', { type }) : t('suggest.type'),
    );
    row.setAttribute('href', address(path));
    return row;
  }

  /** The form sent as it is. */
  function allRow(query: string): HTMLElement {
    const row = allShape.content.firstElementChild!.cloneNode(true) as HTMLElement;
    const fields = [...new FormData(form)].map(([name, value]): [string, string] => [
      name,
      name === 'q' ? query : String(value),
    ]);
    row.setAttribute('href', `${form.getAttribute('action')!}?${new URLSearchParams(fields)}`);
    row.querySelector('span')!.append(...parts('suggest.all', { query: isolated(query) }));
    return row;
  }

  /** A `final` message without options makes room for itself in the hero, so that it covers no link. */
  function open(next: HTMLElement[], text: Array<Node | string>, final = true): void {
    for (const [place, option] of next.entries()) option.id = `suggestion-${place}`;
    listbox.show(next);
    note.replaceChildren(...text);
    note.hidden = text.length === 0;
    panel.classList.toggle('final', final && next.length === 0);
    panel.hidden = false;
    place();
    panel.removeAttribute('aria-busy');
  }

  return {
    element: panel,
    listbox,
    found(query: string, { places, projects }: Suggestions): void {
      const found = [
        ...places.map((one) => rowOfPlace(one, query)),
        ...projects.map((one) => rowOf(one, query)),
      ];
      if (found.length > 0) open([...found, allRow(query)], []);
      else open([], parts('suggest.none', { query: isolated(query) }));
      said.textContent = t('suggest.found', { count: found.length });
    },
    /** Offers the search alone; says why unless the page's own banner does. */
    failed(query: string): void {
      const text = $outage.get() === null ? t('suggest.failed') : '';
      open([allRow(query)], text ? [text] : []);
      said.textContent = text;
    },
    waits(): void {
      if (panel.hidden) open([], [t('suggest.waiting')], false);
      panel.setAttribute('aria-busy', 'true');
    },
    /** Clears the live region, so that the same announcement is read out again. */
    hush: () => said.replaceChildren(),
    close(): void {
      listbox.choose(-1);
      panel.hidden = true;
      // unless somebody scrolled since
      if (scrolled && Math.abs(scrollY - scrolled.to) < 2) scrollTo({ top: scrolled.from });
      scrolled = null;
      box.setAttribute('aria-expanded', 'false');
      said.replaceChildren();
    },
  };
}
