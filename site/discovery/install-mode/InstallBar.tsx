import { useStore } from '@nanostores/react';
import lock from 'lucide-static/icons/lock.svg?raw';
import { addressOfCatalogue } from '../../hosting/panel/content/catalogue.ts';
import { $content } from '../../hosting/panel/content/content.store.ts';
import { $accessLost, $connection, $server } from '../../hosting/panel/core/panel.store.ts';
import { loaderName } from '../../hosting/shared/loader-name.ts';
import { ServerGlyph } from '../../hosting/shared/ServerGlyph.tsx';
import { signInPath } from '../../platform/paths/sign-in-path.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Drawing } from '../../platform/ui/Icon.tsx';
import { $locked, $type, $unlocked } from './lock.store.ts';

/** Which server content is chosen for, what is locked for it, and the way back to it. */
export function InstallBar({ server_id }: { server_id: string }) {
  const labels = useMessages();
  const { t, parts, link } = labels;
  const server = useStore($server);
  const line = useStore($connection);
  if (line === 'gone') return <NotYours />;
  return (
    <div className="ib" aria-busy={!server}>
      <ServerGlyph id={server_id} />
      <p>
        <span>
          {parts('server_content.choosing_for', {
            server: (
              <b key="server">
                <bdi>{server?.name ?? '…'}</bdi>
              </b>
            ),
          })}
        </span>
        <span className="meta">
          {server && (
            <>
              <bdi>{server.game_version}</bdi> <bdi>{loaderName(labels, server.loader)}</bdi>
            </>
          )}
          {line === 'lost' && ` · ${t('servers.line_lost')}`}
        </span>
      </p>
      {server && <LockSwitch />}
      {server && <LoaderFirst />}
      <a className="btn s" href={link(`/servers/manage/${server_id}/content`)}>
        {t('server_content.back_to_server')}
      </a>
    </div>
  );
}

/** Only the owner of a server can choose for it. */
function NotYours() {
  const { t, link } = useMessages();
  const code = useStore($accessLost)?.error;
  const isSignedOut = code !== 'server_not_found' && code !== 'scope_missing';
  return (
    <div className="say warn">
      <b>{t(isSignedOut ? 'server_content.sign_in_first' : 'server_content.not_yours')}</b>
      <p>{t('server_content.not_yours_text')}</p>
      <a
        className="btn"
        href={link(isSignedOut ? signInPath(location.pathname + location.search) : '/servers/manage')}
      >
        {t(isSignedOut ? 'servers.sign_in' : 'servers.to_list')}
      </a>
    </div>
  );
}

/** Says that only what fits is shown, and shows the rest, or goes back to what fits. */
function LockSwitch() {
  const { t, link } = useMessages();
  const locked = useStore($locked);
  const server = useStore($server)!;
  const type = useStore($type);
  if (locked.length > 0)
    return (
      <button className="btn quiet s" type="button" onClick={() => $unlocked.set(true)}>
        <Drawing svg={lock} />
        {t('server_content.unlock')}
      </button>
    );
  return (
    <a className="btn quiet s" href={link(addressOfCatalogue(server, type))}>
      {t('server_content.only_what_fits')}
    </a>
  );
}

/** The server does not load this type of content: what it would have to be. */
function LoaderFirst() {
  const { t, link } = useMessages();
  const types = useStore($content)?.types;
  const type = useStore($type);
  const server = useStore($server)!;
  if (!types || type === 'modpack' || types.includes(type)) return null;
  return (
    <p className="first">
      {t('server_content.loads_other')}{' '}
      <a className="link" href={link(`/servers/manage/${server.id}/options/loader`)}>
        {t('server_content.choose_loader')}
      </a>
    </p>
  );
}
