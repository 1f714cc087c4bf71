/**
 * Puts what was found into the screen, part by part; what is the same stays as it is, so that nothing flickers. Who
 * has the focus keeps it; who goes with it hands it to what stands in the same place, else to the results.
 */
export function swap(screen: HTMLElement, fresh: HTMLElement): void {
  const focused = document.activeElement as HTMLElement | null;
  for (const part of screen.querySelectorAll<HTMLElement>('[data-part]')) {
    const next = fresh.querySelector<HTMLElement>(`[data-part="${part.dataset.part}"]`);
    if (!next || next.innerHTML === part.innerHTML) continue;
    const hasFocus = part.contains(focused);
    const place = hasFocus ? linksIn(part).indexOf(focused as HTMLAnchorElement) : -1;
    keepSame(part, next);
    // a part may stand twice on the screen: each gets its own nodes
    part.replaceChildren(...[...next.childNodes].map((node) => (isKept(node) ? node : node.cloneNode(true))));
    if (!hasFocus) continue;
    const heir = focused?.isConnected ? focused : (linksIn(part)[place] ?? linksIn(part).at(-1));
    (heir ?? screen.querySelector<HTMLElement>('[data-heading]'))?.focus({ preventScroll: true });
  }
}

const linksIn = (part: HTMLElement): HTMLAnchorElement[] => [
  ...part.querySelectorAll<HTMLAnchorElement>('a[href]'),
];
const isKept = (node: Node): boolean => node instanceof Element && node.matches('.hits');

/** Projects that were and will be on the list keep their elements: their pictures are there already. */
function keepSame(part: HTMLElement, next: HTMLElement): void {
  const before = new Map(
    [...part.querySelectorAll<HTMLElement>('[data-id]')].map((item) => [item.dataset.id, item]),
  );
  for (const item of next.querySelectorAll<HTMLElement>('[data-id]')) {
    const same = before.get(item.dataset.id);
    if (same?.innerHTML === item.innerHTML) item.replaceWith(same);
  }
}
