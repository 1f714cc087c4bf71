import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect } from 'react';
import type { NoticeView } from '#db/notices/view.ts';
import type { ServerView } from '#db/servers/view.ts';
import { useConfirm } from '../shared/ConfirmDialog.tsx';
import { loadSuppressed } from '../shared/confirmations.store.ts';
import { MessagesProvider } from '../shared/MessagesContext.tsx';
import type { PanelTexts } from '../shared/message-keys.ts';
import { Notices } from '../shared/Notices.tsx';
import { openPanel } from './open-panel.ts';
import { PanelAlerts } from './PanelAlerts.tsx';
import { PanelHeader } from './PanelHeader.tsx';
import { BackLink, PanelTabs } from './PanelNav.tsx';
import { $server } from './panel.store.ts';
import type { PanelTabId } from './tabs.ts';

export interface PanelProps {
  /** The server from the database; the connection to the control plane brings updates. */
  first: ServerView;
  notices: readonly NoticeView[];
  /** The tabs that the user may open. */
  tabs: readonly PanelTabId[];
  texts: PanelTexts;
}

interface Props extends PanelProps {
  current: PanelTabId;
  /** The content of the tab, for the server as it is now. */
  children(server: ServerView): ReactNode;
}

/** What every tab of a server has: header, power, tabs, notices, and the one connection of the page. */
export function PanelFrame({ first, notices, tabs, texts, current, children }: Props) {
  const server = useStore($server, { ssr: 'initial' }) ?? first;
  const { confirm, dialog } = useConfirm();
  useEffect(() => {
    loadSuppressed();
    openPanel(first, notices, current);
  }, [first, notices, current]);
  return (
    <MessagesProvider texts={texts}>
      <Notices first={notices} />
      <div className="page srv">
        <BackLink />
        <PanelHeader server={server} ask={confirm} />
        <PanelTabs server={server} tabs={tabs} current={current} />
        <PanelAlerts server={server} />
        {children(server)}
      </div>
      {dialog}
    </MessagesProvider>
  );
}
