import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { IslandMessages } from '#content/island-messages.ts';
import type { ServerView, SharedServer } from '#db/hosting/servers/view.ts';
import type { OrderView } from '#db/money/billing/view.ts';
import { MessagesProvider, type PageMessages, useMessages } from '../../platform/text/MessagesContext.tsx';
import { Empty } from '../../platform/ui/Empty.tsx';
import type { PaidTime } from '../panel/paid-time.ts';
import { Alert } from '../shared/Alert.tsx';
import { loadSuppressed } from '../shared/confirmations.store.ts';
import { Icon } from '../shared/Icon.tsx';
import { loaderName } from '../shared/loader-name.ts';
import { loadPreferences } from '../shared/preferences.store.ts';
import { SearchInput } from '../shared/SearchInput.tsx';
import { SupportContext } from '../shared/SupportLink.tsx';
import { stateView } from '../shared/state.ts';
import { AddressContext, type AddressOptions } from '../shared/use-address.ts';
import { useConfirm } from '../shared/use-confirm.tsx';
import { fuzzyScore } from './fuzzy.ts';
import { $servers, $shared, $stale, openList } from './list.store.ts';
import { OrderLine } from './OrderLine.tsx';
import { ServerLine } from './ServerLine.tsx';

export interface ListProps {
  first: readonly ServerView[];
  /** Of the servers of others, by ID. */
  shared: Readonly<Record<string, SharedServer>>;
  /** Orders whose servers do not exist yet. */
  orders: readonly OrderView[];
  /** What is paid for the user's own, by ID. */
  paid: Readonly<Record<string, PaidTime>>;
  addresses: AddressOptions;
  support: string | null;
  messages: IslandMessages;
  /** `?hl=…` while the address has one. */
  query: string;
}

/** A user's servers, with a search. */
export function List(props: ListProps) {
  return (
    <MessagesProvider messages={props.messages} query={props.query}>
      <AddressContext value={props.addresses}>
        <SupportContext value={props.support}>
          <All {...props} />
        </SupportContext>
      </AddressContext>
    </MessagesProvider>
  );
}

/** The orders without a server among `now`. */
const comingAmong = (orders: readonly OrderView[], now: readonly ServerView[]): readonly OrderView[] =>
  orders.filter(({ server_id }) => !now.some(({ id }) => id === server_id));

function All({ first, orders, ...props }: ListProps) {
  const labels = useMessages();
  const { t, count } = labels;
  const opened = useStore($servers, { ssr: 'initial' });
  const isOpened = opened !== null;
  const servers = opened ?? first;
  const shared = useStore($shared, { ssr: 'initial' });
  const isStale = useStore($stale);
  const { confirm, dialog } = useConfirm();
  const [query, setQuery] = useState('');
  useEffect(() => {
    loadSuppressed();
    loadPreferences();
    openList({ first, shared: props.shared }, (now) => comingAmong(orders, now).length > 0);
  }, [first, orders, props.shared]);
  const coming = query === '' ? comingAmong(orders, servers) : [];
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
        <New isFirst={servers.length + orders.length === 0} />
      </div>
      <p className="hide" role="status">
        {query !== '' && count('servers.found', displayed.length)}
      </p>
      <div className="troubles" aria-live="polite">
        {isStale && (
          <Alert tone="warn" title={t('servers.list_failed')}>
            {t('servers.list_failed_text')}
          </Alert>
        )}
      </div>
      {displayed.length + coming.length > 0 ? (
        <ul className="lines srvs">
          {coming.map((order) => (
            <OrderLine key={order.server_id} order={order} />
          ))}
          {displayed.map((server) => (
            <ServerLine
              key={server.id}
              server={server}
              shared={(isOpened ? shared : props.shared)[server.id]}
              paid={props.paid[server.id] ?? null}
              ask={confirm}
            />
          ))}
        </ul>
      ) : (
        <None query={query} clear={() => setQuery('')} />
      )}
      {dialog}
    </>
  );
}

/** The matching servers, the best first; without a query all, newest first. */
function found(labels: PageMessages, servers: readonly ServerView[], query: string): readonly ServerView[] {
  if (query.trim() === '') return servers;
  const points = (server: ServerView) => {
    const { name, loader, game_version, kind } = server;
    const words = [name, loaderName(labels, loader), game_version, kind, labels.t(stateView(server).text)];
    return fuzzyScore(words.join(' '), query);
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
