import type { MouseEvent } from 'react';
import { Icon } from './Icon.tsx';
import { pageNumbers } from './pages.ts';

export interface PagesProps {
  page: number;
  pages: number;
  /** The address of page n, with `{page}` as placeholder. */
  address: string;
  t(key: 'pager.pages' | 'pager.page' | 'pager.previous' | 'pager.next', values?: { page: number }): string;
  onGo?: (page: number, event: MouseEvent<HTMLAnchorElement>) => void;
}

/** Pagination links; nothing for a single page. Works without scripts unless `onGo` is given. */
export function Pages({ page, pages, address, t, onGo }: PagesProps) {
  if (pages <= 1) return null;
  const to = (number: number) => address.replace('{page}', String(number));
  const going = (number: number) => onGo && ((event: MouseEvent<HTMLAnchorElement>) => onGo(number, event));
  return (
    <nav className="pages" aria-label={t('pager.pages')}>
      {page > 1 && (
        <a href={to(page - 1)} onClick={going(page - 1)} rel="prev" aria-label={t('pager.previous')}>
          <Icon name="left" />
        </a>
      )}
      {pageNumbers(page, pages).map((number, index) =>
        number === null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a gap has nothing else
          <span key={`gap ${index}`} aria-hidden="true">
            …
          </span>
        ) : (
          <a
            key={number}
            href={to(number)}
            onClick={going(number)}
            aria-current={number === page ? 'page' : undefined}
            aria-label={t('pager.page', { page: number })}
          >
            {number}
          </a>
        ),
      )}
      {page < pages && (
        <a href={to(page + 1)} onClick={going(page + 1)} rel="next" aria-label={t('pager.next')}>
          <Icon name="right" />
        </a>
      )}
    </nav>
  );
}
