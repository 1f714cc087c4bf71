import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import type { PlayerList } from '#db/hosting/servers/players/lists.ts';
import type { PlayersAction } from '#db/hosting/servers/players/rules.ts';
import type { EntryView, PlayersView } from '#db/hosting/servers/players/view.ts';
import { type PageMessages, useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../shared/Alert.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { exactTime } from '../../shared/time.ts';
import { AddForm } from './AddForm.tsx';
import { $changing, $query, changePlayers } from './players.store.ts';

const removals: Record<PlayerList, PlayersAction> = {
  whitelist: 'whitelist_remove',
  operators: 'deop',
  bans: 'unban',
  address_bans: 'unban_address',
};

interface PlayersListProps {
  name: PlayerList;
  players: PlayersView;
  /** What belongs to the list beside its entries. */
  children?: ReactNode;
}

/** One list: who is on it, and a place for another one. */
export function PlayersList({ name, players, children }: PlayersListProps) {
  const labels = useMessages();
  const { t, count, number, link } = labels;
  const changing = useStore($changing);
  const query = useStore($query);
  const { entries, found, total, broken } = players[name];
  const id = `list-${name}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {t(`server_players.list_${name}`)} {!broken && <span className="meta">{number(total)}</span>}
      </h2>
      {children}
      {broken ? (
        <Alert tone="bad" title={t('server_players.broken')}>
          {t('server_players.broken_text')} <a href={link(filesOf())}>{t('servers.files')}</a>
        </Alert>
      ) : (
        <>
          <AddForm name={name} players={players} />
          {entries.length === 0 && (
            <p className="dim">
              {t(query === '' || total === 0 ? `server_players.none_${name}` : 'server_players.none_found')}
            </p>
          )}
          <ul className="player-list">
            {entries.map((entry) => (
              <li key={entry.who}>
                <div>
                  <b dir="ltr" translate="no">
                    {entry.who}
                  </b>
                  <Note entry={entry} labels={labels} />
                </div>
                <button
                  className="btn quiet s icon"
                  type="button"
                  aria-label={t(`server_players.remove_${name}`, { name: entry.who })}
                  aria-disabled={changing !== null || players.way === null}
                  aria-busy={changing?.who === entry.who}
                  onClick={() => !changing && void changePlayers({ action: removals[name], who: entry.who })}
                >
                  <Icon name="remove" />
                </button>
              </li>
            ))}
          </ul>
          {found > entries.length && (
            <p className="dim">{count('server_players.more', found - entries.length)}</p>
          )}
        </>
      )}
    </section>
  );
}

const filesOf = () => location.pathname.replace(/\/players\/?$/, '/files');

/** What is known of an entry beside its name. */
function Note({ entry, labels }: { entry: EntryView; labels: PageMessages }) {
  const { t, number, formatting } = labels;
  const { level, reason, source, created, expires } = entry;
  const parts = [
    level !== null && t('server_players.level_is', { level: number(level) }),
    source &&
      created &&
      t('server_players.banned_by', { name: source, when: exactTime(formatting, created) }),
    expires && t('server_players.until', { when: exactTime(formatting, expires) }),
  ].filter(Boolean);
  return (
    <>
      {reason && (
        <span className="meta" dir="auto">
          {reason}
        </span>
      )}
      {parts.map((part) => (
        <span key={String(part)} className="meta">
          {part}
        </span>
      ))}
    </>
  );
}
