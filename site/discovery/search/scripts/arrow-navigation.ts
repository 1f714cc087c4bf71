/**
 * Arrow keys move from the search box through the results, in a grid also sideways; Enter follows the link. Above the
 * first result they return to the box.
 */
export function navigateWithArrows(form: HTMLFormElement, box: HTMLInputElement): void {
  form.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return;
    const links = [...form.querySelectorAll<HTMLAnchorElement>('.hits .name > a')];
    const at = links.indexOf(event.target as HTMLAnchorElement);
    if (at < 0 && event.target !== box) return;
    const next = nextOf(event.key, links, at, box);
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.closest('li')?.scrollIntoView({ block: 'nearest' });
  });
}

function nextOf(
  key: string,
  links: HTMLElement[],
  at: number,
  box: HTMLElement,
): HTMLElement | null | undefined {
  const current = links[at];
  if (!current) return key === 'ArrowDown' ? links[0] : null;
  if (key === 'Home') return links[0];
  if (key === 'End') return links.at(-1);
  if (key === 'ArrowDown') return inRow(links.slice(at + 1), current, 1);
  if (key === 'ArrowUp') return inRow(links.slice(0, at).reverse(), current, -1) ?? box;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  const isOn = (key === 'ArrowRight') === (getComputedStyle(current).direction === 'ltr');
  const side = links[at + (isOn ? 1 : -1)];
  return side && rowOf(side) === rowOf(current) ? side : null;
}

const rowOf = (link: HTMLElement): number => Math.round(link.closest('li')!.getBoundingClientRect().top);

/** The closest link in the next row above or below. */
function inRow(links: HTMLElement[], current: HTMLElement, way: 1 | -1): HTMLElement | undefined {
  const here = rowOf(current);
  const first = links.find((link) => (rowOf(link) - here) * way > 1);
  if (!first) return undefined;
  const row = links.filter((link) => Math.abs(rowOf(link) - rowOf(first)) <= 1);
  const middle = (link: HTMLElement) => {
    const { left, width } = link.closest('li')!.getBoundingClientRect();
    return left + width / 2;
  };
  const distance = (link: HTMLElement) => Math.abs(middle(link) - middle(current));
  return row.reduce((best, link) => (distance(link) < distance(best) ? link : best));
}
