import { useStore } from '@nanostores/react';
import type { IslandMessages } from '#content/island-messages.ts';
import { MessagesProvider, useMessages } from '../../platform/text/MessagesContext.tsx';
import { Chips } from './Chips.tsx';
import { Hits } from './Hits.tsx';
import { NoResults } from './NoResults.tsx';
import { Notices } from './Notices.tsx';
import { Footer, Pager } from './Pager.tsx';
import { $view } from './view.store.ts';
import type { View } from './view.ts';

export interface ResultsProps {
  /** The results from the server. */
  first: Omit<View, 'tabs' | 'counts'>;
  messages: IslandMessages;
}

/** The search results: those from the server at first, then the newest ones. Only links and text. */
export function Results({ first, messages }: ResultsProps) {
  return (
    <MessagesProvider messages={messages}>
      <CurrentResults first={first} />
    </MessagesProvider>
  );
}

function CurrentResults({ first }: Pick<ResultsProps, 'first'>) {
  const { t } = useMessages();
  const view = useStore($view, { ssr: 'initial' }) ?? first;
  const [before, number, behind] = view.count;
  return (
    <>
      <div data-part="notes">
        <Notices notes={view.notes} title={view.noted} />
      </div>
      <div className="found">
        <div data-part="chips">
          <Chips view={view} />
        </div>
        <p className="meta" role="status">
          {before}
          {number && <b>{number}</b>}
          {behind}
        </p>
        <div data-part="turn">
          <Pager turn={view.turn} />
        </div>
      </div>
      <h2 className="hide" tabIndex={-1} data-heading>
        {t('results.title')}
      </h2>
      <div data-part="hits">
        {view.nothing ? <NoResults nothing={view.nothing} /> : <Hits hits={view.hits} />}
      </div>
      <div data-part="bottom">{view.nothing ? null : <Footer view={view} />}</div>
    </>
  );
}
