import { backupViews } from '#db/hosting/servers/backups/read.ts';
import { settleBackups } from '#db/hosting/servers/backups/settle.ts';
import { changeViews } from '#db/hosting/servers/changes/read.ts';
import { scheduleViews } from '#db/hosting/servers/schedules/read.ts';
import { needsPlayers } from '#db/hosting/servers/schedules/settle.ts';
import { settleTasks } from '#db/hosting/servers/settle-tasks.ts';
import type { Subscribers } from '../admin/subscribers.ts';
import type { Consoles } from '../console/consoles.ts';
import { roomOf } from '../console/rooms.ts';
import type { PlaneContext } from '../context.ts';
import { statsOf } from '../panel/stats-of.ts';
import type { PanelSubscriptions } from '../panel/subscriptions.ts';
import { doAgentStep } from '../schedules/agent-steps.ts';

/** Whom this is about beside the database. */
interface Parts {
  subscriptions: Pick<PanelSubscriptions, 'isJoined'>;
  consoles: Consoles;
  admin: Pick<Subscribers, 'notifyMoves'>;
  /** Asks for this again after a time, in milliseconds; only the newest time of a server counts. */
  later(server_id: string, ms: number): void;
}

/**
 * Tasks of servers may have to go on, or a list of them changed; notices are `SERVER_ID:LIST`. Takes the next steps, and sends the
 * lists to the panels here. Every plane does it; each step is made once.
 */
export async function syncTasks(
  context: PlaneContext,
  parts: Parts,
  notices: readonly string[],
): Promise<void> {
  const byServer = Map.groupBy(
    notices.map((notice) => notice.split(':', 2) as [server_id: string, list: string]),
    ([server_id]) => server_id,
  );
  for (const [server_id, told] of byServer) {
    await settle(context, parts, server_id);
    await send(context, parts, server_id, new Set(told.map(([, list]) => list)));
  }
}

async function settle(context: PlaneContext, parts: Parts, server_id: string): Promise<void> {
  const { sql, now, settings, log } = context;
  await settleBackups(sql, server_id, now());
  const players = (await needsPlayers(sql, server_id)) ? await playersOn(context, parts, server_id) : null;
  const { agent_steps, wake } = await settleTasks(sql, server_id, { settings, runs: { players } }, now());
  // not waited for: an agent may take long
  for (const step of agent_steps)
    void doAgentStep(context, step).catch((err) =>
      log.warn({ err, server_id, step: step.step.kind }, 'A step of a schedule could not be stored'),
    );
  if (wake) parts.later(server_id, Math.max(0, wake.getTime() - now().getTime()));
}

async function playersOn(
  context: PlaneContext,
  { consoles }: Parts,
  server_id: string,
): Promise<number | null> {
  const { [server_id]: stats } = await statsOf({ context, consoles }, [server_id]);
  return stats?.at(-1)?.players?.online ?? null;
}

async function send(
  { sql, io, now }: PlaneContext,
  { subscriptions, admin }: Parts,
  server_id: string,
  lists: ReadonlySet<string>,
): Promise<void> {
  if (lists.has('moves')) admin.notifyMoves();
  if (!subscriptions.isJoined(server_id)) return;
  const room = io.of('/server').to(roomOf(server_id, 'tasks'));
  if (lists.has('backups')) room.emit('backups', { server_id, backups: await backupViews(sql, server_id) });
  if (lists.has('changes')) room.emit('changes', { server_id, changes: await changeViews(sql, server_id) });
  if (lists.has('schedules'))
    room.emit('schedules', { server_id, schedules: await scheduleViews(sql, server_id, now()) });
}
