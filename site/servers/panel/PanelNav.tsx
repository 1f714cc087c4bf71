import type { ServerView } from '#db/servers/view.ts';
import { useMessages } from '../../text/MessagesContext.tsx';
import { type PanelTabId, panelTabs } from './tabs.ts';

/** A link back to the list of servers. */
export function BackLink() {
  const { t, link } = useMessages();
  return (
    <nav className="crumbs" aria-label={t('servers.to_list')}>
      <a href={link('/servers/manage')}>{t('servers.title')}</a>
    </nav>
  );
}

interface Props {
  server: ServerView;
  /** The tabs that the user may open. */
  tabs: readonly PanelTabId[];
  current: PanelTabId;
}

/** The tabs of a server. */
export function PanelTabs({ server, tabs, current }: Props) {
  const { t, link } = useMessages();
  return (
    <nav className="tabs" aria-label={t('servers.parts')}>
      {tabs.map((id) => (
        <a
          key={id}
          href={link(`/servers/manage/${server.id}${panelTabs[id].path}`)}
          aria-current={id === current ? 'page' : undefined}
        >
          {t(panelTabs[id].label)}
        </a>
      ))}
    </nav>
  );
}
