import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { durationText } from '#content/durations.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { planText } from '../shared/state.ts';
import { $players } from './list.store.ts';

/** The figure that says most about a server now: its players, how long it has been off, otherwise its size. */
export function Figure({ server }: { server: ServerView }) {
  const { t, number, formatting } = useMessages();
  const { id, state, lifecycle, ended_at, last_seen, ram_mb, plan } = server;
  const players = useStore($players)[id];
  const now = useNow();
  const planName = planText(plan);
  const since = state === 'unknown' ? last_seen : ended_at;
  if (lifecycle === 'ready' && state === 'running' && players)
    return (
      <span className="fig">
        <b>
          <bdi>{t('servers.figure_of', { now: number(players.online), most: number(players.most) })}</bdi>
        </b>
        <span className="meta">{t('servers.figure_players')}</span>
      </span>
    );
  if (lifecycle === 'ready' && since && now)
    return (
      <span className="fig">
        <b>
          <time dateTime={since}>{durationText(formatting, now - Date.parse(since), 'short')}</time>
        </b>
        <span className="meta">{t(state === 'unknown' ? 'servers.figure_seen' : 'servers.figure_ran')}</span>
      </span>
    );
  return (
    <span className="fig">
      <b>{t('servers.memory_size', { number: number(ram_mb / 1024) })}</b>
      <span className="meta">{planName ? t(planName) : <bdi>{plan}</bdi>}</span>
    </span>
  );
}

/** The clock of the browser, each minute; null on the server, whose clock may be another. */
function useNow(): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
