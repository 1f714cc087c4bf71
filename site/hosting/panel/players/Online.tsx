import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { OnlinePlayer } from './OnlinePlayer.tsx';
import { $online, $players } from './players.store.ts';
import { ReasonDialog } from './ReasonDialog.tsx';

/** Who is online now, with what may be done about them. */
export function Online({ server }: { server: ServerView }) {
  const { t, number, count } = useMessages();
  const online = useStore($online);
  const players = useStore($players);
  const [asked, ask] = useState<{ action: 'kick' | 'ban'; who: string } | null>(null);
  const runs = server.state === 'running';
  const names = runs ? [...(online?.names ?? [])].sort((a, b) => a.localeCompare(b)) : [];
  const unnamed = runs && online ? Math.max(0, online.online - names.length) : 0;
  return (
    <section aria-labelledby="online">
      <h2 id="online">
        {t('server_players.online')}{' '}
        {runs && online && (
          <span className="meta">
            {t('servers.figure_of', { now: number(online.online), most: number(online.most) })}
          </span>
        )}
      </h2>
      {!runs && <p className="dim">{t('server_players.not_running')}</p>}
      {runs && !online && <p className="dim">{t('server_players.not_counted')}</p>}
      {runs && online?.online === 0 && <p className="dim">{t('server_players.nobody')}</p>}
      {names.length > 0 && (
        <ul className="player-list">
          {names.map((who) => (
            <OnlinePlayer key={who} {...{ who, players }} ask={(action) => ask({ action, who })} />
          ))}
        </ul>
      )}
      {unnamed > 0 && <p className="dim">{count('server_players.unnamed', unnamed)}</p>}
      {asked && <ReasonDialog {...asked} done={() => ask(null)} />}
    </section>
  );
}
