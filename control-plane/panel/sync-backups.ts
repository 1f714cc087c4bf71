import { backupViews } from '#db/hosting/servers/backups/read.ts';
import { settleBackups } from '#db/hosting/servers/backups/settle.ts';
import { roomOf } from '../console/rooms.ts';
import type { PlaneContext } from '../context.ts';
import type { PanelSubscriptions } from './subscriptions.ts';

/**
 * The backups of these servers changed, or have to go on: applies what has become of their operations, and sends the
 * backups to the panels here. Every plane does it; each end counts once.
 */
export async function syncBackups(
  { sql, io, now, settings }: Pick<PlaneContext, 'sql' | 'io' | 'now' | 'settings'>,
  subscriptions: Pick<PanelSubscriptions, 'isJoined'>,
  ids: readonly string[],
): Promise<void> {
  for (const server_id of ids) {
    await settleBackups(sql, server_id, settings, now());
    if (!subscriptions.isJoined(server_id)) continue;
    const message = { server_id, backups: await backupViews(sql, server_id) };
    io.of('/server').to(roomOf(server_id, 'tasks')).emit('backups', message);
  }
}
