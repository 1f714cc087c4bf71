import type { View } from '../view.ts';

const linksIn = (screen: HTMLElement) => screen.querySelectorAll<HTMLAnchorElement>('[data-kinds] a');

/** The links to the other types keep the words. */
export function linkTabs(screen: HTMLElement, text: string): void {
  for (const link of linksIn(screen)) {
    const query = new URLSearchParams(link.search);
    if (text.trim()) query.set('q', text.trim());
    else query.delete('q');
    link.search = query.toString();
  }
}

/** Shows how many projects each type has for the words. */
export function showTabs(screen: HTMLElement, tabs: View['tabs']): void {
  for (const [at, link] of linksIn(screen).entries()) {
    const { count, none } = tabs[at]!;
    link.querySelector('.n')!.textContent = count;
    link.toggleAttribute('data-none', none);
  }
}
