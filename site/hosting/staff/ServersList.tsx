import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { IslandMessages } from '#content/island-messages.ts';
import { max_counted } from '#db/hosting/servers/staff/rules.ts';
import type { FoundServers } from '#db/hosting/servers/staff/view.ts';
import { MessagesProvider, useMessages } from '../../platform/text/MessagesContext.tsx';
import { Empty } from '../../platform/ui/Empty.tsx';
import { later } from '../../platform/ui/later.tsx';
import { $stale } from '../nodes/staff.store.ts';
import { Alert } from '../shared/Alert.tsx';
import { StaffServerLine } from './StaffServerLine.tsx';
import type { OpenDialog } from './server-dialogs.ts';
import { $found, openServers } from './servers.store.ts';

const ServerDialog = later(async () => (await import('./ServerDialog.tsx')).ServerDialog);

interface Props {
  first: FoundServers;
  search: Parameters<typeof openServers>[1];
  /** The address of the next page, with the place to be appended, and of the first page; null on it. */
  next: string;
  start: string | null;
  messages: IslandMessages;
  query: string;
}

/** Servers of everybody that a search found: a page of them, live. */
export const ServersList = ({ messages, query, ...props }: Props) => (
  <MessagesProvider {...{ messages, query }}>
    <Found {...props} />
  </MessagesProvider>
);

function Found({ first, search, next, start }: Omit<Props, 'messages' | 'query'>) {
  const { t, count, number } = useMessages();
  const found = useStore($found, { ssr: 'initial' }) ?? first;
  const isStale = useStore($stale);
  const [dialog, open] = useState<OpenDialog | null>(null);
  useEffect(() => openServers(first, search), [first, search]);
  const isSearch = Boolean(search.query || search.state || search.node_id);
  return (
    <>
      <div className="troubles" aria-live="polite">
        {isStale && (
          <Alert tone="warn" title={t('nodes.lost')}>
            {t('nodes.lost_text')}
          </Alert>
        )}
      </div>
      {found.servers.length === 0 ? (
        <Empty
          title={t(isSearch ? 'staff_servers.none' : 'staff_servers.nothing')}
          text={t(isSearch ? 'staff_servers.none_text' : 'staff_servers.nothing_text')}
        />
      ) : (
        <>
          <p className="meta" role="status">
            {found.count < max_counted
              ? count('staff_servers.count', found.count)
              : t('staff_servers.count_more', { number: number(max_counted) })}
          </p>
          <ul className="nodes staff-servers">
            {found.servers.map((one) => (
              <StaffServerLine key={one.server.id} of={one} open={open} />
            ))}
          </ul>
        </>
      )}
      {(start || found.next) && (
        <nav className="row wrap more-pages" aria-label={t('staff_servers.next')}>
          {start && (
            <a className="btn" href={start} rel="first">
              {t('staff_servers.first')}
            </a>
          )}
          {found.next && (
            <a className="btn" href={`${next}${found.next}`} rel="next">
              {t('staff_servers.next')}
            </a>
          )}
        </nav>
      )}
      {dialog && <ServerDialog {...dialog} done={() => open((now) => (now === dialog ? null : now))} />}
    </>
  );
}
