import { useStore } from '@nanostores/react';
import { useContext } from 'react';
import { isBeingSetUp } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { later } from '../../platform/ui/later.tsx';
import { Alert } from '../shared/Alert.tsx';
import { RelativeTime } from '../shared/RelativeTime.tsx';
import { SupportLink } from '../shared/SupportLink.tsx';
import { SuspendedUntil } from '../shared/SuspendedUntil.tsx';
import { startsLater, stateView, waitsForRestart } from '../shared/state.ts';
import { AccessContext, refusalFor } from './core/access.ts';
import { $connection } from './core/panel.store.ts';
import { SetupError } from './SetupError.tsx';
import { type PanelTabId, panelTabs } from './tabs.ts';

const AccessLost = later(async () => (await import('./AccessLost.tsx')).AccessLost);
const RightLost = later(async () => (await import('./AccessLost.tsx')).RightLost);
/** Most servers have none. */
const Warnings = later(async () => (await import('./Warnings.tsx')).Warnings);

/** Problems and waiting states of the server as messages, and that access to it was lost. */
export function PanelAlerts({ server, current }: { server: ServerView; current: PanelTabId }) {
  const line = useStore($connection);
  const lacksRight = refusalFor(useContext(AccessContext), panelTabs[current].whyNot) !== null;
  return (
    <div className="troubles" aria-live="polite">
      {line === 'gone' && <AccessLost />}
      {line !== 'gone' && lacksRight && <RightLost />}
      {line !== 'gone' && <StateReason server={server} current={current} />}
      {line !== 'gone' && server.warnings.length > 0 && <Warnings server={server} />}
    </div>
  );
}

/** Whether the problem is solved on the billing page. */
const needsBilling = ({ lifecycle_data: { reason = '' } }: ServerView): boolean =>
  ['cancelled', 'trial_ended', 'payment_failed', 'out_of_stock'].includes(reason);

/** Whether its set-up goes on: the overview shows its steps. */
const isGoingOn = ({ setup, lifecycle, lifecycle_data: { reason } }: ServerView): boolean =>
  setup !== null && isBeingSetUp(lifecycle) && reason !== 'out_of_stock';

/** Why the server is not simply running or stopped. */
function StateReason({ server, current }: { server: ServerView; current: PanelTabId }) {
  const { t, link } = useMessages();
  if (server.moving)
    return (
      <Alert tone="note" title={t('servers.moving')}>
        {t('servers.moving_text')}
      </Alert>
    );
  if (isGoingOn(server)) return null;
  const { tone, text, reason } = stateView(server);
  if (waitsForRestart(server))
    return (
      <Alert tone="note" title={t('servers.resized')}>
        {t('servers.resized_text')}
      </Alert>
    );
  if (!reason) return null;
  return (
    <Alert
      tone={tone === 'rest' ? 'note' : tone}
      title={t(text)}
      action={
        current !== 'billing' &&
        needsBilling(server) && (
          <a className="btn" href={link(`/servers/manage/${server.id}/options/billing`)}>
            {t(server.lifecycle_data.until === undefined ? 'servers.billing' : 'servers.renew')}
          </a>
        )
      }
    >
      {t(reason)} <SuspendedUntil server={server} /> <SupportLink server={server} />{' '}
      {startsLater(server) && t('servers.why_starts_later')}
      {server.lifecycle === 'broken' && <SetupError server={server} />}
      {server.state === 'unknown' && server.last_seen && <RelativeTime since={server.last_seen} />}
    </Alert>
  );
}
