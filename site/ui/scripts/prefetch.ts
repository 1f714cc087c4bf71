import { ahead, mostPrefetched } from '../prefetch.ts';

/**
 * Asks for a page when one points at its link or goes to it by keyboard: what was asked for lies ready for the click.
 * Only the newest few stay asked for; nothing on lines that are paid for by the byte. Source: specification §9.
 */
const rests_ms = 65;
const asked: HTMLLinkElement[] = [];
let resting: ReturnType<typeof setTimeout> | undefined;
const thrifty = () =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;

function ask(link: HTMLAnchorElement): void {
  const href = ahead(link.href, location.href);
  if (!href || thrifty() || asked.some((one) => one.href === href)) return;
  const fetched = Object.assign(document.createElement('link'), { rel: 'prefetch', href });
  document.head.append(fetched);
  asked.push(fetched);
  if (asked.length > mostPrefetched) asked.shift()?.remove();
}

function about({ target }: Event): void {
  clearTimeout(resting);
  const link = (target as Element).closest?.<HTMLAnchorElement>('a[href]');
  if (link) resting = setTimeout(() => ask(link), rests_ms);
}
document.addEventListener('pointerover', about, { passive: true });
document.addEventListener('focusin', about, { passive: true });
