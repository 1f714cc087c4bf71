import { runAgent, unwanted } from './run.ts';
import { AgentTrouble, agentSettings } from './settings.ts';

/** The agent as a process of its own: told everything by CAIRN_AGENT_* in its environment. */
try {
  await runAgent(agentSettings({}, process.env));
} catch (error) {
  console.error(error instanceof AgentTrouble ? error.message : error);
  process.exit(error instanceof AgentTrouble ? unwanted : 1);
}
