import { useMemo } from 'react';
import type { ContentItem } from '#db/hosting/servers/content/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { SearchInput } from '../../shared/SearchInput.tsx';
import { counts, type Filter, filters, type Order, orders, type Query } from './listing.ts';

interface FiltersProps {
  query: Query;
  setQuery(query: Query): void;
  items: readonly ContentItem[];
}

/** Search, filter and order of the list. Filters that would show nothing say so by their number. */
export function ContentTools({ query, setQuery, items }: FiltersProps) {
  const { t, number } = useMessages();
  const numbers = useMemo(() => counts(items), [items]);
  return (
    <div className="ctools">
      <search>
        <SearchInput
          label={t('server_content.search')}
          query={query.text}
          setQuery={(text) => setQuery({ ...query, text })}
        />
      </search>
      <select
        className="in"
        aria-label={t('server_content.filter')}
        value={query.filter}
        onChange={({ target }) => setQuery({ ...query, filter: target.value as Filter })}
      >
        {filters.map((one) => (
          <option key={one} value={one}>
            {t('server_content.filter_option', {
              name: t(`server_content.filter_${one}`),
              count: number(numbers[one]),
            })}
          </option>
        ))}
      </select>
      <select
        className="in"
        aria-label={t('server_content.order')}
        value={query.order}
        onChange={({ target }) => setQuery({ ...query, order: target.value as Order })}
      >
        {orders.map((one) => (
          <option key={one} value={one}>
            {t(`server_content.order_${one}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
