import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { IslandMessages } from '#content/island-messages.ts';
import { MessagesProvider, useMessages } from '../../platform/text/MessagesContext.tsx';
import { Empty } from '../../platform/ui/Empty.tsx';
import { later } from '../../platform/ui/later.tsx';
import { $stale } from '../nodes/staff.store.ts';
import { Alert } from '../shared/Alert.tsx';
import { MoveLine } from './MoveLine.tsx';
import { $moves, type MovesPage, openMoves } from './moves.store.ts';

const CancelMoveDialog = later(async () => (await import('./CancelMoveDialog.tsx')).CancelMoveDialog);

interface Props {
  first: MovesPage;
  /** The last move of the page before; null on the first page. */
  before: string | null;
  messages: IslandMessages;
  query: string;
}
type Move = MovesPage['moves'][number];

/** Moves of servers between nodes: those that go on with how far they are, then those that ended. */
export const MovesList = ({ messages, query, ...props }: Props) => (
  <MessagesProvider {...{ messages, query }}>
    <Moves {...props} query={query} />
  </MessagesProvider>
);

function Moves({ first, before, query }: Omit<Props, 'messages'>) {
  const { t, link } = useMessages();
  const { moves, next } = useStore($moves, { ssr: 'initial' }) ?? first;
  const isStale = useStore($stale);
  const [cancels, setCancels] = useState<Move | null>(null);
  useEffect(() => openMoves(before), [before]);
  const going = moves.filter(({ ended }) => ended === null);
  const over = moves.filter(({ ended }) => ended !== null);
  const page = '/servers/admin/moves';
  return (
    <>
      <div className="troubles" aria-live="polite">
        {isStale && (
          <Alert tone="warn" title={t('nodes.lost')}>
            {t('nodes.lost_text')}
          </Alert>
        )}
      </div>
      {moves.length === 0 && (
        <Empty title={t('staff_servers.no_moves')} text={t('staff_servers.no_moves_text')} />
      )}
      {moves.length > 0 && before === null && (
        <section aria-labelledby="going">
          <h2 id="going">{t('staff_servers.going')}</h2>
          {going.length === 0 && <p className="meta">{t('staff_servers.no_going')}</p>}
          <ul className="nodes moves">
            {going.map((move) => (
              <MoveLine key={move.id} move={move} cancel={setCancels} />
            ))}
          </ul>
        </section>
      )}
      {over.length > 0 && (
        <section aria-labelledby="over">
          <h2 id="over">{t('staff_servers.over')}</h2>
          <ul className="nodes moves">
            {over.map((move) => (
              <MoveLine key={move.id} move={move} cancel={setCancels} />
            ))}
          </ul>
        </section>
      )}
      {(next || before) && (
        <p className="row wrap more-pages">
          {before && (
            <a className="btn" href={link(page)}>
              {t('staff_servers.newest')}
            </a>
          )}
          {next && (
            <a className="btn" href={`${link(page)}${query ? '&' : '?'}before=${next}`}>
              {t('staff_servers.older')}
            </a>
          )}
        </p>
      )}
      {cancels && (
        <CancelMoveDialog
          of={{ server: { id: cancels.server_id, name: cancels.server } }}
          done={() => setCancels(null)}
        />
      )}
    </>
  );
}
