import type { IslandMessages } from '#content/island-messages.ts';
import { MessagesProvider, useMessages } from '../../platform/text/MessagesContext.tsx';
import { Empty } from '../../platform/ui/Empty.tsx';
import { ServerGlyph } from '../shared/ServerGlyph.tsx';
import { BackLink, PanelTabs } from './PanelNav.tsx';
import type { RefusedPanel as Refused } from './refused-panel.ts';
import { panelScreens } from './screens.ts';

interface Props {
  panel: Refused;
  /** The refusal, for people. */
  reason: string;
  messages: IslandMessages;
  /** `?hl=…` while the address has one. */
  query: string;
}

/** In place of a page of a panel that the reader has no right to: the panel's head and tabs, why, and the way to the overview. */
export const RefusedPanel = ({ messages, query, ...props }: Props) => (
  <MessagesProvider messages={messages} query={query}>
    <Content {...props} />
  </MessagesProvider>
);

function Content({ panel, reason }: Pick<Props, 'panel' | 'reason'>) {
  const { t, link } = useMessages();
  const { id, name, icon, tabs, screen } = panel;
  return (
    <div className="page srv">
      <BackLink />
      <header className="shead">
        <ServerGlyph id={id} icon={icon} />
        <h1>
          <bdi>{name}</bdi>
        </h1>
      </header>
      <PanelTabs id={id} tabs={tabs} />
      <Empty title={t('servers.page_refused', { screen: t(panelScreens[screen].label) })} text={reason}>
        <a className="btn primary" href={link(`/servers/manage/${id}`)}>
          {t('servers.to_overview')}
        </a>
      </Empty>
    </div>
  );
}
