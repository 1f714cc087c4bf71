import { atom } from 'nanostores';
import type { ServerView } from '#db/hosting/servers/view.ts';
import type { OrderView } from '#db/money/billing/view.ts';
import { sendTo } from '../../../platform/browser/api-client.ts';

/** The order of a server until its server exists: asked for while the page is visible. */

/** What `GET /_internal/orders/ID` answers: the order while its server does not exist, then the server. */
export type OrderAnswer = { order: OrderView; server: null } | { order: null; server: ServerView };

/** The last answer; null before the first one. */
export const $answer = atom<OrderAnswer | null>(null);

const poll_ms = 1500;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether something still happens by itself. */
export const isUnderWay = ({ state }: OrderView): boolean => state === 'paying' || state === 'paid';

/** Follows an order until its server exists or never will; call once per page. */
export function followOrder(server_id: string): void {
  const ask = () => void refresh(server_id);
  addEventListener('online', ask);
  document.addEventListener('visibilitychange', () => document.hidden || ask());
  ask();
}

let asking = false;
async function refresh(server_id: string): Promise<void> {
  clearTimeout(timer);
  const known = $answer.get();
  if (asking || known?.server || (known?.order && !isUnderWay(known.order))) return;
  if (!document.hidden) {
    asking = true;
    const answer = await sendTo<OrderAnswer>(`/_internal/orders/${server_id}`);
    asking = false;
    if (answer.ok) $answer.set(answer.data);
    // signed out, or deleted: the page says so
    else if ([401, 403, 404].includes(answer.error.status)) return location.reload();
  }
  timer = setTimeout(refresh, poll_ms, server_id);
}
