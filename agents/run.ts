import { createLog } from '#db/platform/runtime/log.ts';
import { onShutdown } from '#db/platform/runtime/shutdown.ts';
import { startAgent } from './agent.ts';
import { AgentConfigError, type AgentSettings } from './settings.ts';
import { StateLocked } from './state/open.ts';

/** Exit code of an agent that the control plane or another agent rejects: starting it again changes nothing. */
export const exit_rejected = 2;

/**
 * Runs an agent until it is asked to stop; containers keep running. Never returns: the process ends with 0 when
 * asked, with `exit_rejected` and a line on standard error when the control plane rejects it. Throws
 * `AgentConfigError` when it cannot start.
 */
export async function runAgent(settings: AgentSettings): Promise<never> {
  const log = createLog('agent', settings.log_level);
  const ending = onShutdown(log);
  let agent: ReturnType<typeof startAgent>;
  try {
    agent = startAgent({
      settings,
      log,
      onRejected(error) {
        console.error(`The control plane rejected this agent: ${error.message}`);
        agent.close();
        process.exit(exit_rejected);
      },
    });
  } catch (error) {
    if (error instanceof StateLocked) throw new AgentConfigError(error.message);
    throw error;
  }
  ending.add(async () => {
    agent.close();
    await agent.unmountIdle();
  });
  log.info({ urls: settings.urls }, 'The agent is ready');
  return await new Promise<never>(() => {});
}
