import type { Command } from 'commander';
import { exit_rejected, runAgent } from '#agents/run.ts';
import { AgentConfigError, agentSettings } from '#agents/settings.ts';

/** `agent`: runs game servers on this machine for a remote control plane. */
export function agentCommand(program: Command): void {
  program
    .command('agent')
    .description('Runs the agent of a node on this machine until it is stopped; game servers keep running.')
    .option(
      '--url <address>',
      'address of Cairn, or unix:/path/to/socket; several with commas between (CAIRN_AGENT_URL)',
    )
    .option('--join <token>', 'join token printed by `node add`; needed once (CAIRN_AGENT_JOIN)')
    .option('--data <folder>', 'state, secret and server files (CAIRN_AGENT_DATA)')
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
