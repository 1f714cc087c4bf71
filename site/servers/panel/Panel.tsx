import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import type { NoticeView } from '#db/notices/view.ts';
import type { ServerView } from '#db/servers/view.ts';
import { useConfirm } from '../shared/ConfirmDialog.tsx';
import { loadSuppressed } from '../shared/confirmations.store.ts';
import { MessagesProvider } from '../shared/MessagesContext.tsx';
import type { PanelTexts } from '../shared/message-keys.ts';
import { Notices } from '../shared/Notices.tsx';
import { openPanel } from './actions.ts';
import { CrashCard } from './CrashCard.tsx';
import { Console } from './console/Console.tsx';
import { ResourceUsage } from './console/ResourceUsage.tsx';
import { PanelAlerts } from './PanelAlerts.tsx';
import { PanelHeader } from './PanelHeader.tsx';
import { BackLink, PanelTabs } from './PanelNav.tsx';
import { $server } from './panel.store.ts';

export interface PanelProps {
  /** The server from the database; the connection to the control plane brings updates. */
  first: ServerView;
  notices: readonly NoticeView[];
  texts: PanelTexts;
}

/** The overview of one server. */
export function Panel({ first, notices, texts }: PanelProps) {
  const server = useStore($server, { ssr: 'initial' }) ?? first;
  const { confirm, dialog } = useConfirm();
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    loadSuppressed();
    openPanel(first, notices);
  }, [first, notices]);
  const read = () => part.current?.querySelector<HTMLElement>('[data-lines]')?.focus();
  return (
    <MessagesProvider texts={texts}>
      <Notices first={notices} />
      <div className="page srv" ref={part}>
        <BackLink />
        <PanelHeader server={server} ask={confirm} />
        <PanelTabs server={server} />
        <PanelAlerts server={server} />
        {server.state === 'crashed' && server.crash && (
          <CrashCard server={server} crash={server.crash} read={read} />
        )}
        <ResourceUsage server={server} />
        <Console server={server} />
      </div>
      {dialog}
    </MessagesProvider>
  );
}
