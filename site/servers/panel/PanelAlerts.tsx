import { useStore } from '@nanostores/react';
import type { ServerView } from '#db/servers/view.ts';
import { signInPath } from '../../sign-in-path.ts';
import { useMessages } from '../../text/MessagesContext.tsx';
import { Alert } from '../shared/Alert.tsx';
import { RelativeTime } from '../shared/RelativeTime.tsx';
import { refusalText } from '../shared/refusal-text.ts';
import { startsLater, stateView, waitsForRestart } from '../shared/state.ts';
import { $accessLost, $connection, $refused } from './panel.store.ts';
import { SetupError } from './SetupError.tsx';

/** Problems and waiting states as messages: of the connection, the server, the last action. */
export function PanelAlerts({ server }: { server: ServerView }) {
  const messages = useMessages();
  const { t } = messages;
  const line = useStore($connection);
  const refused = useStore($refused);
  return (
    <div className="troubles" aria-live="polite">
      {line === 'lost' && (
        <Alert tone="warn" title={t('servers.lost')}>
          {t('servers.lost_text')}
        </Alert>
      )}
      {line === 'gone' && <AccessLost />}
      {line !== 'gone' && <StateReason server={server} />}
      {refused && line === 'open' && (
        <Alert tone="bad" title={t('servers.refused')}>
          {refusalText(messages, refused)}
        </Alert>
      )}
    </div>
  );
}

function AccessLost() {
  const messages = useMessages();
  const { t, link } = messages;
  const removed = useStore($accessLost);
  if (!removed) return null;
  const isSignedOut = removed.error !== 'server_not_found' && removed.error !== 'scope_missing';
  const here = globalThis.location?.pathname ?? '/servers/manage';
  return (
    <Alert
      tone="bad"
      title={t(isSignedOut ? 'servers.gone_signed_out' : 'servers.gone')}
      action={
        isSignedOut ? (
          <a className="btn" href={link(signInPath(here))}>
            {t('servers.sign_in')}
          </a>
        ) : (
          <a className="btn" href={link('/servers/manage')}>
            {t('servers.to_list')}
          </a>
        )
      }
    >
      {refusalText(messages, removed)}
    </Alert>
  );
}

/** Whether the problem is solved on the billing page. */
const needsBilling = ({ lifecycle_data: { reason = '' } }: ServerView): boolean =>
  ['cancelled', 'trial_ended', 'payment_failed', 'out_of_stock'].includes(reason);

/** Why the server is not simply running or stopped. */
function StateReason({ server }: { server: ServerView }) {
  const { t, link } = useMessages();
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
        needsBilling(server) && (
          <a className="btn" href={link(`/servers/manage/${server.id}/options/billing`)}>
            {t('servers.billing')}
          </a>
        )
      }
    >
      {t(reason)} {startsLater(server) && t('servers.why_starts_later')}
      {server.lifecycle === 'broken' && <SetupError server={server} />}
      {server.state === 'unknown' && server.last_seen && <RelativeTime since={server.last_seen} />}
    </Alert>
  );
}
