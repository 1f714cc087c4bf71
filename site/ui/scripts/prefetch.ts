import { ahead, max_prefetched } from '../prefetch.ts';

/**
 * Asks for a page when one points at its link or goes to it by keyboard: what was asked for lies ready for the click.
 * Only the newest few stay asked for; nothing on lines that are paid for by the byte. Source: specification §9.
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
