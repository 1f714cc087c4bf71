import { useContext } from 'react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { currentInView } from '../shared/current-in-view.ts';
import { AccessContext, refusalFor } from './core/access.ts';
import { type PanelTabId, panelTabs } from './tabs.ts';

/** A link back to the list of the user's servers, or to that of staff. */
export function BackLink({ isStaff = false }: { isStaff?: boolean }) {
  const { t, link } = useMessages();
  return (
    <nav className="crumbs" aria-label={t(isStaff ? 'servers.to_staff_list' : 'servers.to_list')}>
      {isStaff ? (
        <a href={link('/servers/admin/servers')}>{t('servers.staff_list')}</a>
      ) : (
        <a href={link('/servers/manage')}>{t('servers.title')}</a>
      )}
    </nav>
  );
}

interface Props {
  /** Of the server. */
  id: string;
  /** The tabs that the user may open. */
  tabs: readonly PanelTabId[];
  /** None on a page that is refused. */
  current?: PanelTabId;
}

/** The tabs of a server. */
export function PanelTabs({ id, tabs, current }: Props) {
  const { t, link } = useMessages();
  const access = useContext(AccessContext);
  const shown = tabs.filter((tab) => tab === current || !refusalFor(access, panelTabs[tab].whyNot));
  return (
    <nav ref={currentInView} className="tabs" aria-label={t('servers.parts')}>
      {shown.map((tab) => (
        <a
          key={tab}
          href={link(`/servers/manage/${id}${panelTabs[tab].path}`)}
          aria-current={tab === current ? 'page' : undefined}
        >
          {t(panelTabs[tab].label)}
        </a>
      ))}
    </nav>
  );
}
