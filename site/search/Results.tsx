import { useStore } from '@nanostores/react';
import { Chips } from './Chips.tsx';
import { Hits } from './Hits.tsx';
import { NoResults } from './NoResults.tsx';
import { Notices } from './Notices.tsx';
import { Footer, Pager } from './Pager.tsx';
import { $view } from './view.store.ts';
import type { Labels, View } from './view.ts';

export interface ResultsProps {
  /** The results from the server. */
  first: View;
  labels: Labels;
}

/** The search results: those from the server at first, then the newest ones. Only links and text. */
export function Results({ first, labels }: ResultsProps) {
  const view = useStore($view, { ssr: 'initial' }) ?? first;
  const [before, number, behind] = view.count;
  return (
    <>
      <div data-part="notes">
        <Notices notes={view.notes} title={labels['search.noted']} />
      </div>
      <div className="found">
        <div data-part="chips">
          <Chips view={view} labels={labels} />
        </div>
        <p className="meta" role="status">
          {before}
          {number && <b>{number}</b>}
          {behind}
        </p>
        <div data-part="turn">
          <Pager turn={view.turn} labels={labels} />
        </div>
      </div>
      <h2 className="hide" tabIndex={-1} data-heading>
        {labels['search.results']}
      </h2>
      <div data-part="hits">
        {view.nothing ? (
          <NoResults nothing={view.nothing} labels={labels} />
        ) : (
          <Hits hits={view.hits} labels={labels} />
        )}
      </div>
      <div data-part="bottom">{view.nothing ? null : <Footer view={view} labels={labels} />}</div>
    </>
  );
}
