import type { ReactNode } from 'react';
import type { MessageKey } from '#content/keys.ts';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { currentInView } from '../../shared/current-in-view.ts';
import { useAllowed } from '../core/access.ts';
import { PanelFrame, type PanelProps } from '../PanelFrame.tsx';

const pages = [
  ['/access', 'server_access.people'],
  ['/access/activity', 'server_access.activity'],
] as const satisfies [string, MessageKey][];

interface AccessFrameProps extends PanelProps {
  path: (typeof pages)[number][0];
  children(server: ServerView): ReactNode;
}

/** What both pages of access have: the panel around them, and the way to the other one for who may see it. */
export const AccessFrame = ({ path, children, ...panel }: AccessFrameProps) => (
  <PanelFrame {...panel} current="access">
    {(server) => (
      <>
        <AccessNav id={server.id} path={path} />
        {children(server)}
      </>
    )}
  </PanelFrame>
);

function AccessNav({ id, path }: { id: string; path: string }) {
  const { t, link } = useMessages();
  if (!useAllowed(whyNotHave.people)) return null;
  return (
    <nav ref={currentInView} className="tabs subtabs" aria-label={t('server_access.parts')}>
      {pages.map(([at, label]) => (
        <a key={at} href={link(`/servers/manage/${id}${at}`)} aria-current={at === path ? 'page' : undefined}>
          {t(label)}
        </a>
      ))}
    </nav>
  );
}
