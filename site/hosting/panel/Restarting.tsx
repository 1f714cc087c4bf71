import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { CrashCause } from '../shared/CrashCause.tsx';
import { Icon } from '../shared/Icon.tsx';
import { useAllowed } from './core/access.ts';
import { power } from './core/actions.ts';
import { $connection, $pendingAction } from './core/panel.store.ts';
import { whyNot } from './Power.tsx';

/** That a crashed server starts again, when, and how it is kept off. */
export function Restarting({ server }: { server: ServerView }) {
  const labels = useMessages();
  const { t, number, link } = labels;
  const mayRead = useAllowed(whyNotHave.files);
  const acting = useStore($pendingAction);
  const why = whyNot(labels, server, 'stop', acting, useStore($connection) === 'open');
  const seconds = useSecondsUntil(server.crash!.restart_at);
  return (
    <div className="strip bad">
      <Icon name="crash" />
      <span className="what">
        <b role="status">
          <CrashCause crash={server.crash!} />
        </b>{' '}
        <span role="timer">
          {seconds ? t('servers.restarting_in', { seconds: number(seconds) }) : t('servers.restarting')}
        </span>
      </span>
      {mayRead && (
        <a className="link" href={link(`/servers/manage/${server.id}/files?path=logs&file=latest.log`)}>
          {t('servers.show_log')}
        </a>
      )}
      <button
        className="btn s"
        type="button"
        aria-disabled={why !== null}
        aria-busy={acting === 'stop'}
        data-tip={why ?? undefined}
        onClick={() => void power('stop')}
      >
        {t('servers.power_stop')}
      </button>
    </div>
  );
}

/** Whole seconds until `at`, ticking; 0 when that is over or not known, and before the page is alive. */
function useSecondsUntil(at: string | null): number {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now === null || at === null ? 0 : Math.max(0, Math.ceil((Date.parse(at) - now) / 1000));
}
