import { Refused } from '#db/platform/errors.ts';
import type { ServerOnNode } from './ask-files.ts';
import { askAgent } from './connection-of.ts';

/**
 * Writes a command to the console of a server, at most once. Refuses as `connectionOf`, `server_not_running`, and
 * `command_not_delivered` when nobody can say what became of it.
 */
export async function writeCommand(
  context: Parameters<typeof askAgent>[0],
  { id, node_id }: ServerOnNode,
  text: string,
): Promise<void> {
  const answer = await askAgent(context, node_id, (agent) => agent.writeCommand(id, text));
  if (answer.delivered) return;
  throw new Refused(answer.why === 'not_running' ? 'server_not_running' : 'command_not_delivered');
}
