import { useStore } from '@nanostores/react';
import { $outage } from '../../platform/browser/connection.store.ts';
import { Icon } from '../../platform/ui/Icon.tsx';
import { CompactProject } from './CompactProject.tsx';
import { $quickSearch, $stale } from './quick-search.store.ts';
import type { QuickSearchView } from './view.ts';

/** The results of the quick search: from the server at first, then the newest ones. */
export function QuickSearch({ first }: { first: QuickSearchView }) {
  const { count, none, hits, more } = useStore($quickSearch, { ssr: 'initial' }) ?? first;
  const stale = useStore($stale, { ssr: 'initial' });
  const outage = useStore($outage, { ssr: 'initial' });
  return (
    <>
      <div role="status" className="meta">
        {outage ? count : (stale ?? count)}
      </div>
      <div className="room">
        {none ? (
          <p className="meta">{none}</p>
        ) : (
          <ul className="mini">
            {hits.map((hit) => (
              <CompactProject key={hit.id} {...hit} />
            ))}
          </ul>
        )}
      </div>
      <div className="on">
        <a className="link row" href={more.href}>
          {more.text}
          <Icon name="on" />
        </a>
      </div>
    </>
  );
}
