import { expireNodes } from '#db/nodes/write.ts';
import { trimHosting } from '#db/servers/observe.ts';
import { expireOperations } from '#db/servers/operations.ts';
import { place, waitingForPlace } from '#db/servers/place.ts';
import type { Job } from './run.ts';

/** What of hosting is done by the clock: each safe to run twice, by several processes, and late. Source: issue 6 item 8. */

/** Servers tried in one run: the next run takes the others. */
const places = 200;
/** Runs of `trimHosting`: each removes a piece, so that no lock is held long. */
const pieces = 200;

/** Nodes that were not heard for too long are away: their servers are shown as `unknown`. */
export const expireNodesJob: Job<'expire_nodes'> = async ({ sql, now }) => {
  const nodes = await expireNodes(sql, now());
  return nodes.length > 0 ? { nodes } : undefined;
};

/** Servers without a place are tried again: a node came, or another server went. */
export const placeServers: Job<'place_servers'> = async ({ sql, now }) => {
  const waiting = await waitingForPlace(sql, places);
  let placed = 0;
  for (const id of waiting) if ((await sql.begin((tx) => place(tx, id, now()))).placed) placed += 1;
  return waiting.length > 0 ? { waiting: waiting.length, placed } : undefined;
};

/** Operations nobody took in time are over. */
export const expireOperationsJob: Job<'expire_operations'> = async ({ sql, now }) => {
  const expired = await expireOperations(sql, now());
  return expired > 0 ? { expired } : undefined;
};

/** Notices began or ended: control planes know it by clocks of their own, this is for one that was held up. */
export const noticesDue: Job<'notices_due'> = async ({ sql, now }) => {
  const minute = new Date(now().getTime() - 60_000);
  await sql`
    select pg_notify('hosting', 'notices') where exists (
      select 1 from server_notices where begins between ${minute} and ${now()} or expires between ${minute} and ${now()})`;
  return undefined;
};

/** Forgets events and operations of long ago. */
export const trimHostingJob: Job<'trim_hosting'> = async ({ sql, now }) => {
  let removed = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const count = await trimHosting(sql, now());
    removed += count;
    if (count === 0) break;
  }
  return { removed };
};
