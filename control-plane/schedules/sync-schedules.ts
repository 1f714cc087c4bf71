import { installChange } from '#db/hosting/servers/changes/content.ts';
import { requestServerChange } from '#db/hosting/servers/changes/request.ts';
import { planUpdates } from '#db/hosting/servers/content/asked.ts';
import { findAuthorizedServer } from '#db/hosting/servers/read.ts';
import { whyNotCommand, whyNotHave } from '#db/hosting/servers/rules.ts';
import { scheduleViews } from '#db/hosting/servers/schedules/read.ts';
import { endAgentStep, runsOf, settleSchedules } from '#db/hosting/servers/schedules/settle.ts';
import type { AgentStep } from '#db/hosting/servers/schedules/steps.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { writeCommand } from '../agents/write-command.ts';
import type { Consoles } from '../console/consoles.ts';
import { roomOf } from '../console/rooms.ts';
import type { PlaneContext } from '../context.ts';
import { serverContent } from '../panel/server-content.ts';
import { statsOf } from '../panel/stats-of.ts';
import type { PanelSubscriptions } from '../panel/subscriptions.ts';

/** Whom this is about beside the database. */
interface Parts {
  subscriptions: Pick<PanelSubscriptions, 'isJoined'>;
  consoles: Consoles;
  /** Asks for this again after a time, in milliseconds; only the newest time of a server counts. */
  later(server_id: string, ms: number): void;
}

/**
 * The schedules of these servers changed, or their runs have to go on: takes the next steps, and sends the schedules to the
 * panels here. Every plane does it; each step is made once.
 */
export async function syncSchedules(
  context: PlaneContext,
  { subscriptions, consoles, later }: Parts,
  ids: readonly string[],
): Promise<void> {
  const { sql, io, now, settings, log } = context;
  for (const server_id of ids) {
    const runs = await runsOf(sql, server_id);
    if (runs.open) {
      const players = runs.players ? await playersOn(context, consoles, server_id) : null;
      const { agent_steps, wake } = await settleSchedules(sql, server_id, { settings, players }, now());
      // not waited for: an agent may take long
      for (const step of agent_steps)
        void doAgentStep(context, step).catch((err) =>
          log.warn({ err, server_id, step: step.step.kind }, 'A step of a schedule could not be stored'),
        );
      if (wake) later(server_id, Math.max(0, wake.getTime() - now().getTime()));
    }
    if (!subscriptions.isJoined(server_id)) continue;
    const message = { server_id, schedules: await scheduleViews(sql, server_id, now()) };
    io.of('/server').to(roomOf(server_id, 'tasks')).emit('schedules', message);
  }
}

async function playersOn(
  context: PlaneContext,
  consoles: Consoles,
  server_id: string,
): Promise<number | null> {
  const { [server_id]: stats } = await statsOf({ context, consoles }, [server_id]);
  return stats?.at(-1)?.players?.online ?? null;
}

/** Does what only an agent can do for a step of a schedule, as panels do it, and stores how it ended. */
async function doAgentStep(context: PlaneContext, step: AgentStep): Promise<void> {
  const end = await attempt(context, step).catch((error: unknown) => {
    if (error instanceof Refused) return error;
    throw error;
  });
  await endAgentStep(context.sql, step, end, context.now());
}

async function attempt(
  context: PlaneContext,
  { server_id, step, op_id, actor }: AgentStep,
): Promise<'requested' | 'done' | 'unchanged'> {
  const { sql, now, settings } = context;
  if (step.kind === 'command') {
    const { facts, node_id } = await findAuthorizedServer(sql, actor, server_id, now(), whyNotHave.console);
    assertAllowed(whyNotCommand(facts));
    await writeCommand(context, { id: server_id, node_id }, step.text);
    return 'done';
  }
  const { planning } = await serverContent(context, actor, server_id, 'change');
  const { add } = await planUpdates(sql, planning, null);
  if (add.length === 0) return 'unchanged';
  const choices = add.map(({ version, replaces }) => ({ version_id: version.id, path: replaces }));
  const request = { server_id, op_id, ...(await installChange(sql, planning, 'update', choices)) };
  await sql.begin((tx) => requestServerChange(tx, actor, request, settings, now()));
  return 'requested';
}
