import { ahead, max_prefetched } from '../prefetch.ts';

/**
 * Prefetches a page when its link is hovered or focused by keyboard, so that a click opens it at once. Only the newest
 * few stay prefetched; nothing with data saver on. Source: specification §9.
 */
const rests_ms = 65;
const requested: HTMLLinkElement[] = [];
let resting: ReturnType<typeof setTimeout> | undefined;
const thrifty = () =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;

function request(link: HTMLAnchorElement): void {
  const href = ahead(link.href, location.href);
  if (!href || thrifty() || requested.some((one) => one.href === href)) return;
  const fetched = Object.assign(document.createElement('link'), { rel: 'prefetch', href });
  document.head.append(fetched);
  requested.push(fetched);
  if (requested.length > max_prefetched) requested.shift()?.remove();
}

function about({ target }: Event): void {
  clearTimeout(resting);
  const link = (target as Element).closest?.<HTMLAnchorElement>('a[href]');
  if (link) resting = setTimeout(() => request(link), rests_ms);
}
document.addEventListener('pointerover', about, { passive: true });
document.addEventListener('focusin', about, { passive: true });
