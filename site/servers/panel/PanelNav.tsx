import type { ServerView } from '#db/servers/view.ts';
import { useMessages } from '../shared/MessagesContext.tsx';

/** A link back to the list of servers. */
export function BackLink() {
  const { t, link } = useMessages();
  return (
    <nav className="crumbs" aria-label={t('servers.to_list')}>
      <a href={link('/servers/manage')}>{t('servers.title')}</a>
    </nav>
  );
}

/** The tabs of a server. */
export function PanelTabs({ server }: { server: ServerView }) {
  const { t, link } = useMessages();
  const here = `/servers/manage/${server.id}`;
  return (
    <nav className="tabs" aria-label={t('servers.parts')}>
      <a href={link(here)} aria-current="page">
        {t('servers.overview')}
      </a>
      <a href={link(`${here}/options/billing`)}>{t('servers.billing')}</a>
    </nav>
  );
}
