import type { ReactNode } from 'react';
import type { IslandMessages } from '#content/island-messages.ts';
import type { OrderView } from '#db/money/billing/view.ts';
import { MessagesProvider, useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { loaderName } from '../../shared/loader-name.ts';
import { ServerGlyph } from '../../shared/ServerGlyph.tsx';
import type { AddressOptions } from '../../shared/use-address.ts';
import { BackLink, PanelTabs } from '../PanelNav.tsx';
import type { PaidTime } from '../paid-time.ts';
import type { PanelTabId } from '../tabs.ts';
import { OrderBadge } from './OrderBadge.tsx';

export interface OrderProps {
  order: OrderView;
  tabs: readonly PanelTabId[];
  /** What is paid, or to be paid. */
  paid: PaidTime;
  addresses: AddressOptions;
  /** Where support is reached; null where the operator names no place. */
  support: string | null;
  messages: IslandMessages;
  /** `?hl=…` while the address has one. */
  query: string;
}

interface Props extends OrderProps {
  current: PanelTabId;
  children?: ReactNode;
}

/** What every tab has while there is an order and no server: head and tabs, where the panel has them. */
export function OrderFrame({ order, tabs, messages, query, current, children }: Props) {
  return (
    <MessagesProvider messages={messages} query={query}>
      <div className="page srv">
        <BackLink />
        <Head order={order} />
        <PanelTabs id={order.server_id} tabs={tabs} current={current} />
        {children}
      </div>
    </MessagesProvider>
  );
}

function Head({ order }: { order: OrderView }) {
  const labels = useMessages();
  const { t } = labels;
  return (
    <header className="shead">
      <ServerGlyph id={order.server_id} />
      <div>
        <div className="row wrap">
          <h1>
            <bdi>{order.name}</bdi>
          </h1>
          <OrderBadge order={order} />
        </div>
        <div className="tags">
          <span>
            <Icon name="version" />
            <span className="hide">{t('servers.version')}</span> <bdi>{order.game_version}</bdi>
          </span>
          <span>
            <Icon name="loader" />
            <span className="hide">{t('servers.loader')}</span> <bdi>{loaderName(labels, order.loader)}</bdi>
          </span>
        </div>
      </div>
    </header>
  );
}
