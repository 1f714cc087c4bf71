import type { OrderView } from '#db/money/billing/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { isUnderWay } from './order.store.ts';

/** How far an order is, as a badge. */
export function OrderBadge({ order }: { order: OrderView }) {
  const { t } = useMessages();
  const isComing = isUnderWay(order);
  return (
    <span className={`badge ${isComing ? 'note' : 'bad'}`}>
      <Icon name={isComing ? 'wait' : 'critical'} />
      {t(`servers.order_${order.state}`)}
    </span>
  );
}
