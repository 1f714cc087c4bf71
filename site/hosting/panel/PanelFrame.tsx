import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect } from 'react';
import type { IslandMessages } from '#content/island-messages.ts';
import type { NoticeView } from '#db/hosting/notices/view.ts';
import type { ServerAccess } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { MessagesProvider } from '../../platform/text/MessagesContext.tsx';
import { later } from '../../platform/ui/later.tsx';
import { loadSuppressed } from '../shared/confirmations.store.ts';
import { loadPreferences } from '../shared/preferences.store.ts';
import { SupportContext } from '../shared/SupportLink.tsx';
import { AddressContext, type AddressOptions } from '../shared/use-address.ts';
import { useConfirm } from '../shared/use-confirm.tsx';
import { AccessContext } from './core/access.ts';
import { openPanel } from './core/open-panel.ts';
import { $access, $server } from './core/panel.store.ts';
import { Notices } from './Notices.tsx';
import { PanelAlerts } from './PanelAlerts.tsx';
import { PanelHeader } from './PanelHeader.tsx';
import { BackLink, PanelTabs } from './PanelNav.tsx';
import type { PaidTime } from './paid-time.ts';
import { StaffView } from './StaffView.tsx';
import { StatusStrip } from './StatusStrip.tsx';
import type { PanelTabId } from './tabs.ts';

const UnpaidNotice = later(async () => (await import('./UnpaidNotice.tsx')).UnpaidNotice);
const TrialNotice = later(async () => (await import('./TrialNotice.tsx')).TrialNotice);

export interface PanelProps {
  /** The server from the database; the connection to the control plane brings updates. */
  first: ServerView;
  /** What the user may do on it. */
  access: ServerAccess;
  notices: readonly NoticeView[];
  /** The tabs that the user may open. */
  tabs: readonly PanelTabId[];
  paid: PaidTime | null;
  addresses: AddressOptions;
  /** Where support is reached; null where the operator names no place. */
  support: string | null;
  /** The owner's name, while the user sees the server as staff only. */
  owner_for_staff: string | null;
  messages: IslandMessages;
  /** `?hl=…` while the address has one. */
  query: string;
}

interface Props extends PanelProps {
  current: PanelTabId;
  /** The content of the tab, for the server as it is now. */
  children(server: ServerView): ReactNode;
}

/** What every tab of a server has: header, power, tabs, notices, and the one connection of the page. */
export function PanelFrame({ messages, query, ...props }: Props) {
  const access = useStore($access, { ssr: 'initial' }) ?? props.access;
  return (
    <MessagesProvider messages={messages} query={query}>
      <AccessContext value={access}>
        <AddressContext value={props.addresses}>
          <SupportContext value={props.support}>
            <Frame {...props} />
          </SupportContext>
        </AddressContext>
      </AccessContext>
    </MessagesProvider>
  );
}

function Frame(props: Omit<Props, 'messages' | 'query'>) {
  const { first, access, notices, tabs, paid, current, owner_for_staff, children } = props;
  const server = useStore($server, { ssr: 'initial' }) ?? first;
  const { confirm, dialog } = useConfirm();
  useEffect(() => {
    loadSuppressed();
    loadPreferences();
    openPanel(first, { access, notices, tab: current });
  }, [first, access, notices, current]);
  return (
    <>
      <Notices first={notices} />
      <div className="page srv">
        <BackLink isStaff={owner_for_staff !== null} />
        {owner_for_staff !== null && <StaffView owner={owner_for_staff} />}
        <PanelHeader server={server} paid={paid} current={current} ask={confirm} />
        <PanelTabs id={server.id} tabs={tabs} current={current} />
        <StatusStrip server={server} />
        {paid?.term === 'trial' && <TrialNotice id={server.id} paid={paid} />}
        {paid?.unpaid && current !== 'billing' && <UnpaidNotice id={server.id} unpaid={paid.unpaid} />}
        <PanelAlerts server={server} current={current} />
        {children(server)}
      </div>
      {dialog}
    </>
  );
}
