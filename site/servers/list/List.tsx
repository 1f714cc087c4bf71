import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { IslandMessages } from '#content/island-messages.ts';
import type { ServerView } from '#db/servers/view.ts';
import { MessagesProvider, type PageMessages, useMessages } from '../../text/MessagesContext.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Alert } from '../shared/Alert.tsx';
import { useConfirm } from '../shared/ConfirmDialog.tsx';
import { loadSuppressed } from '../shared/confirmations.store.ts';
import { Icon } from '../shared/Icon.tsx';
import { refusalText } from '../shared/refusal-text.ts';
import { SearchInput } from '../shared/SearchInput.tsx';
import { stateView } from '../shared/state.ts';
import { fuzzyScore } from './fuzzy.ts';
import { $refused, $servers, $stale, openList } from './list.store.ts';
import { ServerLine } from './ServerLine.tsx';

export interface ListProps {
  first: readonly ServerView[];
  /** The server that was just ordered; the list waits until it exists. */
  awaited: string | null;
  messages: IslandMessages;
  /** `?hl=…` while the address has one. */
  query: string;
}

/** A user's servers, with a search. */
export function List(props: ListProps) {
  return (
    <MessagesProvider messages={props.messages} query={props.query}>
      <All {...props} />
    </MessagesProvider>
  );
}

const isBecoming = ({ lifecycle }: ServerView) => !['ready', 'suspended', 'broken'].includes(lifecycle);

function All({ first, awaited }: ListProps) {
  const labels = useMessages();
  const { t, count } = labels;
  const servers = useStore($servers, { ssr: 'initial' }) ?? first;
  const isStale = useStore($stale);
  const refused = useStore($refused);
  const { confirm, dialog } = useConfirm();
  const [query, setQuery] = useState('');
  useEffect(() => {
    loadSuppressed();
    openList((now) => now.some(isBecoming) || (awaited !== null && !now.some(({ id }) => id === awaited)));
  }, [awaited]);
  const isComing = awaited !== null && !servers.some(({ id }) => id === awaited);
  const displayed = found(labels, servers, query);
  return (
    <>
      <div className="mh">
        <h1>{t('servers.title')}</h1>
        {servers.length > 0 && (
          <search>
            <SearchInput
              label={t('servers.search')}
              hint={t('servers.search_hint')}
              query={query}
              setQuery={setQuery}
            />
          </search>
        )}
        <New isFirst={servers.length === 0 && !isComing} />
      </div>
      <p className="hide" role="status">
        {query !== '' && count('servers.found', displayed.length)}
      </p>
      <div className="troubles" aria-live="polite">
        {isComing && (
          <Alert tone="note" title={t('servers.coming')}>
            {t('servers.coming_text')}
          </Alert>
        )}
        {isStale && (
          <Alert tone="warn" title={t('servers.list_failed')}>
            {t('servers.list_failed_text')}
          </Alert>
        )}
        {refused && (
          <Alert tone="bad" title={t('servers.refused')}>
            {refusalText(labels, refused)}
          </Alert>
        )}
      </div>
      {displayed.length > 0 ? (
        <ul className="lines srvs">
          {displayed.map((server) => (
            <ServerLine key={server.id} server={server} ask={confirm} />
          ))}
        </ul>
      ) : (
        !isComing && <None query={query} clear={() => setQuery('')} />
      )}
      {dialog}
    </>
  );
}

/** The matching servers, the best first; without a query all, newest first. */
function found({ t }: PageMessages, servers: readonly ServerView[], query: string): readonly ServerView[] {
  if (query.trim() === '') return servers;
  const points = (server: ServerView) => {
    const { name, loader, game_version, kind } = server;
    return fuzzyScore([name, loader, game_version, kind, t(stateView(server).text)].join(' '), query);
  };
  return servers
    .map((server) => ({ server, points: points(server) }))
    .filter((one) => one.points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ server }) => server);
}

function New({ isFirst }: { isFirst: boolean }) {
  const { t, link } = useMessages();
  if (isFirst) return null;
  return (
    <a className="btn primary" href={link('/servers')}>
      <Icon name="add" />
      {t('servers.new')}
    </a>
  );
}

function None({ query, clear }: { query: string; clear(): void }) {
  const { t, link } = useMessages();
  if (query !== '') {
    return (
      <Empty title={t('servers.none_found_for', { query })} text={t('servers.none_found_text')}>
        <button className="btn" type="button" onClick={clear}>
          {t('servers.clear')}
        </button>
      </Empty>
    );
  }
  return (
    <Empty title={t('servers.none')} text={t('servers.none_text')}>
      <a className="btn primary" href={link('/servers')}>
        {t('servers.see_plans')}
      </a>
    </Empty>
  );
}
