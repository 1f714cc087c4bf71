import { useStore } from '@nanostores/react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { $outage } from '../../platform/browser/connection.store.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { later } from '../../platform/ui/later.tsx';
import { Icon } from '../shared/Icon.tsx';
import { willRestart } from '../shared/state.ts';
import { $connection } from './core/panel.store.ts';

const Restarting = later(async () => (await import('./Restarting.tsx')).Restarting);

/** What passes by itself, in one line over the page so that nothing moves: a lost connection, a restart after a crash. */
export function StatusStrip({ server }: { server: ServerView }) {
  const { t } = useMessages();
  const line = useStore($connection);
  // then the page's own banner says it
  const isSaid = useStore($outage) !== null;
  return (
    <div className="over">
      <div aria-live="polite">
        {line === 'lost' && !isSaid && (
          <p className="strip warn">
            <Icon name="away" />
            <b>{t('servers.lost')}</b> <span className="wide">{t('servers.lost_text')}</span>
          </p>
        )}
      </div>
      {line !== 'lost' && willRestart(server) && <Restarting server={server} />}
    </div>
  );
}
