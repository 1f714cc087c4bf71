import { $waiting, wait } from '../loading.store.ts';

/** The bar at the top: starts 50 ms after something is awaited or a page is left. Source: spec §9. */
const bar = document.querySelector<HTMLElement>('[data-loading]');
let soon: ReturnType<typeof setTimeout> | undefined;

$waiting.listen((count) => {
  clearTimeout(soon);
  if (!bar) return;
  if (count === 0) bar.hidden = true;
  else soon = setTimeout(() => (bar.hidden = false), 50);
});

let leaving: (() => void) | null = null;
const leave = () => {
  leaving ??= wait();
};
document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest?.('a[href]') as HTMLAnchorElement | null;
  if (
    !link ||
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey
  )
    return;
  const elsewhere = link.target || link.hasAttribute('download') || link.origin !== location.origin;
  const here = link.pathname === location.pathname && link.search === location.search;
  if (!elsewhere && !here && !link.pathname.startsWith('/data/')) leave();
});
document.addEventListener('submit', (event) => {
  if (!event.defaultPrevented) leave();
});
addEventListener('pageshow', () => {
  leaving?.();
  leaving = null;
});
