import { $view } from '../view.store.ts';
import type { View } from '../view.ts';

/**
 * Renders `view` in the islands. The focused element keeps the focus; if it disappears, the focus moves to the element
 * at the same position, else to the results.
 */
export async function renderResults(screen: HTMLElement, view: View): Promise<void> {
  const focused = document.activeElement;
  const part = focused?.closest<HTMLElement>('[data-part]');
  const position = part ? linksIn(part).indexOf(focused as HTMLAnchorElement) : -1;
  $view.set(view);
  await drawn();
  if (!part || focused?.isConnected) return;
  const heir = linksIn(part)[position] ?? linksIn(part).at(-1);
  (heir ?? screen.querySelector<HTMLElement>('[data-heading]'))?.focus({ preventScroll: true });
}

const linksIn = (part: HTMLElement): HTMLAnchorElement[] => [
  ...part.querySelectorAll<HTMLAnchorElement>('a[href]'),
];

/** Islands render a store change before the next task. */
const drawn = (): Promise<void> => new Promise((done) => setTimeout(done));
