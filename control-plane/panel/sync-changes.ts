import { changeViews } from '#db/hosting/servers/changes/read.ts';
import { settleChanges } from '#db/hosting/servers/changes/settle.ts';
import { roomOf } from '../console/rooms.ts';
import type { PlaneContext } from '../context.ts';
import type { PanelSubscriptions } from './subscriptions.ts';

/**
 * The changes of these servers have to go on, or are another step further: takes the next step, and sends the changes to the
 * panels here. Every plane does it; each step is made once.
 */
export async function syncChanges(
  { sql, io, now, settings }: Pick<PlaneContext, 'sql' | 'io' | 'now' | 'settings'>,
  subscriptions: Pick<PanelSubscriptions, 'isJoined'>,
  ids: readonly string[],
): Promise<void> {
  for (const server_id of ids) {
    await settleChanges(sql, server_id, settings, now());
    if (!subscriptions.isJoined(server_id)) continue;
    const message = { server_id, changes: await changeViews(sql, server_id) };
    io.of('/server').to(roomOf(server_id, 'tasks')).emit('changes', message);
  }
}
