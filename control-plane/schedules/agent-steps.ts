import { installChange } from '#db/hosting/servers/changes/content.ts';
import { requestServerChange } from '#db/hosting/servers/changes/request.ts';
import { planUpdates } from '#db/hosting/servers/content/asked.ts';
import { findAuthorizedServer } from '#db/hosting/servers/read.ts';
import { whyNotCommand, whyNotHave } from '#db/hosting/servers/rules.ts';
import { endAgentStep } from '#db/hosting/servers/schedules/settle.ts';
import type { AgentStep } from '#db/hosting/servers/schedules/steps.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { writeCommand } from '../agents/write-command.ts';
import type { PlaneContext } from '../context.ts';
import { serverContent } from '../panel/server-content.ts';

/** Does what only an agent can do for a step of a schedule, as panels do it, and stores how it ended. */
export async function doAgentStep(context: PlaneContext, step: AgentStep): Promise<void> {
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
