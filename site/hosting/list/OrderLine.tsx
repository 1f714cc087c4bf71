import type { OrderView } from '#db/money/billing/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { OrderBadge } from '../panel/setup/OrderBadge.tsx';
import { loaderName } from '../shared/loader-name.ts';
import { ServerGlyph } from '../shared/ServerGlyph.tsx';

/** An order whose server does not exist yet; its panel says how far it is. */
export function OrderLine({ order }: { order: OrderView }) {
  const labels = useMessages();
  const { link } = labels;
  return (
    <li className="faint">
      <ServerGlyph id={order.server_id} />
      <div>
        <div className="row wrap">
          <h2 className="name">
            <a href={link(`/servers/manage/${order.server_id}`)}>
              <bdi>{order.name}</bdi>
            </a>
          </h2>
          <OrderBadge order={order} />
        </div>
        <div className="tags">
          <bdi>{order.game_version}</bdi>
          <bdi>{loaderName(labels, order.loader)}</bdi>
        </div>
      </div>
    </li>
  );
}
