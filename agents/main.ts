import { exit_rejected, runAgent } from './run.ts';
import { AgentConfigError, agentSettings } from './settings.ts';

/** The agent as a process of its own, configured by CAIRN_AGENT_* in its environment. */
try {
  await runAgent(agentSettings({}, process.env));
} catch (error) {
  console.error(error instanceof AgentConfigError ? error.message : error);
  process.exit(error instanceof AgentConfigError ? exit_rejected : 1);
}
