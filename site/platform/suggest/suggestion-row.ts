import { highlightMatches } from './match-highlight.ts';
import type { SuggestedPlace, SuggestedProject } from './suggestion-client.ts';

/** User-written text in an element with its own direction. */
export function isolated(text: string): HTMLElement {
  const element = document.createElement('bdi');
  element.textContent = text;
  return element;
}

/** `text` with the matches of `query` marked. */
export const marked = (text: string, query: string): Array<Node | string> =>
  highlightMatches(text, query).map((piece) => {
    if (!piece.marked) return piece.text;
    const mark = document.createElement('mark');
    mark.textContent = piece.text;
    return mark;
  });

/** A row with the icon, type and author of `project`, without its title: that is highlighted again with each letter. */
export function projectRow(
  shape: HTMLTemplateElement,
  project: SuggestedProject,
  byline: ReadonlyArray<Node | string>,
): HTMLElement {
  const row = shape.content.firstElementChild!.cloneNode(true) as HTMLElement;
  row.querySelector('[data-by]')!.append(...byline);
  if (project.icon_url) {
    const picture = document.createElement('img');
    picture.className = 'pic';
    picture.alt = '';
    picture.src = project.icon_url;
    row.querySelector('.pic')!.replaceWith(picture);
  }
  return row;
}

/** A row with the name of a type or category, what it is, and how many projects it has. */
export function placeRow(
  shape: HTMLTemplateElement,
  { name, count }: SuggestedPlace,
  query: string,
  about: string,
): HTMLElement {
  const row = shape.content.firstElementChild!.cloneNode(true) as HTMLElement;
  row.querySelector('[data-title]')!.append(...marked(name, query));
  row.querySelector('[data-by]')!.append(about);
  row.querySelector('[data-count]')!.append(count);
  return row;
}
