import { useStore } from '@nanostores/react';
import descending from 'lucide-static/icons/arrow-down.svg?raw';
import ascending from 'lucide-static/icons/arrow-up.svg?raw';
import { useEffect, useRef } from 'react';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Drawing } from '../../../platform/ui/Icon.tsx';
import { $listing, $order, $selection, listedNames } from './files.store.ts';
import { sortBy } from './folder.ts';
import { type Column, type Order, sortedBy } from './listing.ts';
import { allOf, noneOf } from './selection.ts';

const columns = [
  { sort: 'name', key: 'server_files.name', className: undefined },
  { sort: 'bytes', key: 'server_files.size', className: 'num' },
  { sort: 'modified', key: 'server_files.changed', className: 'drop' },
] as const;

/** The columns: a press sorts by one. */
export function TableHead() {
  const { t } = useMessages();
  const order = useStore($order);
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col">
          <AllBox />
        </th>
        {columns.map(({ sort, key, className }) => (
          <th
            key={sort}
            scope="col"
            className={className}
            aria-sort={order.sort === sort ? (order.descending ? 'descending' : 'ascending') : undefined}
          >
            <SortButton sort={sort} order={order} label={t(key)} />
          </th>
        ))}
        <th scope="col">
          <ShowFilter order={order} />
        </th>
      </tr>
    </thead>
  );
}

function SortButton({ sort, order, label }: { sort: Column; order: Order; label: string }) {
  return (
    <button className="sort" type="button" onClick={() => sortBy(sortedBy(order, sort))}>
      {label}
      {order.sort === sort && <Drawing svg={order.descending ? descending : ascending} />}
    </button>
  );
}

function AllBox() {
  const { t } = useMessages();
  const { chosen } = useStore($selection);
  const { entries } = useStore($listing);
  const box = useRef<HTMLInputElement>(null);
  const isSome = chosen.size > 0 && chosen.size < entries.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <label className="check">
      <input
        ref={box}
        type="checkbox"
        aria-label={t('server_files.select_all')}
        checked={chosen.size > 0 && !isSome}
        onChange={() =>
          $selection.set(chosen.size > 0 ? noneOf($selection.get()) : allOf($selection.get(), listedNames()))
        }
      />
    </label>
  );
}

const filters = [
  ['all', 'server_files.show_all'],
  ['files', 'server_files.show_files'],
  ['directories', 'server_files.show_folders'],
] as const;

function ShowFilter({ order }: { order: Order }) {
  const { t } = useMessages();
  return (
    <select
      className="in show"
      aria-label={t('server_files.show')}
      value={order.show}
      onChange={({ target }) => sortBy({ ...order, show: target.value as Order['show'] })}
    >
      {filters.map(([value, key]) => (
        <option key={value} value={value}>
          {t(key)}
        </option>
      ))}
    </select>
  );
}
