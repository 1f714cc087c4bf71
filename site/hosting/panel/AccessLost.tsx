import { useStore } from '@nanostores/react';
import { signInPath } from '../../platform/paths/sign-in-path.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Alert } from '../shared/Alert.tsx';
import { $accessLost } from './core/panel.store.ts';

/** The right to this page was taken away while it is open: what was typed stays, but nothing can be done with it. */
export function RightLost() {
  const { t, link } = useMessages();
  return (
    <Alert
      tone="bad"
      title={t('servers.right_lost')}
      action={
        <a className="btn" href={link('/servers/manage')}>
          {t('servers.to_list')}
        </a>
      }
    >
      {t('error.server_right_missing')}
    </Alert>
  );
}

/** Why nothing of this server can be seen any more. */
export function AccessLost() {
  const { t, link } = useMessages();
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
      {removed.description}
    </Alert>
  );
}
