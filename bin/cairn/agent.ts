import type { Command } from 'commander';
import { exit_rejected, runAgent } from '#agents/run.ts';
import { AgentConfigError, agentSettings } from '#agents/settings.ts';

/** `agent`: runs game servers on this machine for a remote control plane. */
export function agentCommand(program: Command): void {
  program
    .command('agent')
    .description('Runs the agent of a node on this machine until it is asked to end; game servers go on.')
    .option('--url <address>', 'where Cairn answers, or unix:/path/to/socket (CAIRN_AGENT_URL)')
    .option('--join <token>', 'what `node add` printed; needed once (CAIRN_AGENT_JOIN)')
    .option('--data <folder>', 'journal, secret and files of servers (CAIRN_AGENT_DATA)')
    .action(async (options: { url?: string; join?: string; data?: string }) => {
      try {
        await runAgent(agentSettings(options, process.env));
      } catch (error) {
        if (!(error instanceof AgentConfigError)) throw error;
        console.error(error.message);
        process.exit(exit_rejected);
      }
    });
}
