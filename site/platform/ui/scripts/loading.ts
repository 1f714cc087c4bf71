import { $loading, wait } from '../../browser/loading.store.ts';

/**
 * The loading bar: during pending operations, and from leaving a page until the next one is loaded. Source:
 * specification §4, §9.
 */
const bar = document.querySelector<HTMLElement>('[data-loading]');
/** How long a finished bar stays visible: the duration of its last animation. */
const ends_ms = 180;
let ending: ReturnType<typeof setTimeout> | undefined;

$loading.listen((loads) => {
  if (!bar) return;
  clearTimeout(ending);
  bar.classList.toggle('done', !loads);
  if (loads) bar.hidden = false;
  else ending = setTimeout(() => (bar.hidden = true), ends_ms);
});

let leaving: (() => void) | null = null;
const leave = () => {
  leaving ??= wait();
};
const stayed = () => {
  leaving?.();
  leaving = null;
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
// a form that downloads a file leads to no other page
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (!event.defaultPrevented && form.dataset.downloads === undefined && form.method !== 'dialog') leave();
});
addEventListener('pageshow', stayed);
// Escape stops a navigation
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') stayed();
});
