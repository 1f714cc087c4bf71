import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { NoticeView } from '#db/hosting/notices/view.ts';
import { serverRights } from '#db/hosting/servers/rights/rules.ts';
import type { ServerAccess } from '#db/hosting/servers/rules.ts';
import type { OrderView } from '#db/money/billing/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Alert } from '../shared/Alert.tsx';
import { FullPanel } from './FullPanel.tsx';
import { OrderFrame, type OrderProps } from './setup/OrderFrame.tsx';
import { $answer, followOrder } from './setup/order.store.ts';
import { SetupSteps } from './setup/SetupSteps.tsx';
import { panelTabIds } from './tabs.ts';

interface Props extends OrderProps {
  /** Where the same server is ordered again. */
  again: string;
}
/** The panel asks for its notices itself. */
const no_notices: readonly NoticeView[] = [];
const owner: ServerAccess = { owner: true, rights: [...serverRights] };

/** The panel of an order whose server does not exist yet; becomes the panel of the server by itself. */
export function OrderPanel({ order: first, again, ...props }: Props) {
  const answer = useStore($answer, { ssr: 'initial' });
  const { server_id } = first;
  useEffect(() => followOrder(server_id), [server_id]);
  // whoever ordered it owns it
  if (answer?.server)
    return (
      <FullPanel
        {...props}
        tabs={panelTabIds}
        first={answer.server}
        access={owner}
        notices={no_notices}
        owner_for_staff={null}
        isNew
      />
    );
  const order = answer?.order ?? first;
  return (
    <OrderFrame {...props} order={order} current="overview">
      <Progress order={order} again={again} />
    </OrderFrame>
  );
}

function Progress({ order: { state }, again }: { order: OrderView; again: string }) {
  const { t, link } = useMessages();
  if (state === 'paying' || state === 'paid')
    return (
      <SetupSteps
        at={state === 'paying' ? 'payment' : 'scheduling'}
        text={t(state === 'paying' ? 'servers.setup_payment_text' : 'servers.setup_scheduling_text')}
      >
        <p className="dim">{t('servers.setup_leave')}</p>
      </SetupSteps>
    );
  return (
    <div className="troubles">
      <Alert
        tone={state === 'refunded' ? 'note' : 'bad'}
        title={t(`servers.order_${state}`)}
        action={
          <a className="btn" href={state === 'refunded' ? link('/servers') : again}>
            {t(state === 'refunded' ? 'servers.see_plans' : 'servers.order_again')}
          </a>
        }
      >
        {t(`servers.order_${state}_text`)}
      </Alert>
    </div>
  );
}
