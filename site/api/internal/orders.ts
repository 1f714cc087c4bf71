import { z } from 'zod';
import { serverView } from '#db/hosting/servers/read.ts';
import { orderWithoutServer } from '#db/money/billing/read.ts';
import type { OrderAnswer } from '../../hosting/panel/setup/order.store.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import { privateJson } from '../../platform/route/private-json.ts';
import type { Api } from '../../platform/route/types.ts';

/**
 * `GET /_internal/orders/ID`: what became of the order of a server, for the page that waits for it. Refuses
 * `server_not_found` for unknown ones and those of other users alike.
 */
export function orderRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/orders/{id}',
    summary: 'The order of a server while it is set up',
    tag: 'internal',
    needs: ['SERVER_READ'],
    params: z.object({ id: z.string().max(11) }),
    async handle({ sql, params, actor, now }) {
      const order = await orderWithoutServer(sql, actor, params.id);
      const answer: OrderAnswer = order
        ? { order, server: null }
        : { order: null, server: await serverView(sql, actor, params.id, now) };
      return privateJson(answer);
    },
  });
}
