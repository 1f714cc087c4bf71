import { leaves } from '../../cosmetics/external-links.ts';

/**
 * Links to other sites open in a new tab unless the user prefers otherwise. Pages are cached for everybody, so this is
 * decided on click. Source: specification §3 (externalLinksNewTab).
 */
document.addEventListener(
  'click',
  ({ target }) => {
    const link = (target as Element).closest?.<HTMLAnchorElement>('a[href]');
    if (!link || !leaves({ href: link.href, download: link.getAttribute('download') }, location.origin))
      return;
    const recent = document.documentElement.dataset.externalLinks !== 'same';
    link.target = recent ? '_blank' : '';
    if (recent) link.relList.add('noopener');
  },
  { capture: true },
);
