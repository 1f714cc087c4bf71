import { findAuthorizedServer } from '#db/hosting/servers/read.ts';
import { whyNotCommand, whyNotCommandText, whyNotHave } from '#db/hosting/servers/rules.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { askAgent, connectionOf } from '../agents/connection-of.ts';
import { writeCommand } from '../agents/write-command.ts';
import type { PlaneContext } from '../context.ts';
import type { KnownCommand } from '../protocol/console.ts';
import { authenticate } from '../sockets/authenticate.ts';
import type { PanelConnection } from './subscriptions.ts';

/**
 * Writes a command to the console, at most once. The access of a joined panel is known and enforced within a second: then
 * the database is not asked, which would take longer than the rest of the way. Source: hosting §5.3.
 */
export async function sendCommand(
  context: PlaneContext,
  connection: PanelConnection,
  { server_id, text }: { server_id: string; text: string },
): Promise<void> {
  assertAllowed(whyNotCommandText(text));
  const { node_id } =
    cachedServer(context, connection, server_id) ?? (await authorizedServer(context, connection, server_id));
  await writeCommand(context, { id: server_id, node_id }, text);
  context.activity.command({ server_id, actor_id: connection.actor.user_id }, text);
}

/**
 * The commands that a server's process knows, for users who may write to its console. Refuses as `whyNotHave.console` and
 * `whyNotCommand` say, and as `connectionOf`.
 */
export async function knownCommands(
  context: PlaneContext,
  connection: PanelConnection,
  { server_id }: { server_id: string },
): Promise<{ epoch: string | null; commands: KnownCommand[] }> {
  const { node_id } = await authorizedServer(context, connection, server_id);
  const answer = await askAgent(context, node_id, (agent) => agent.knownCommands(server_id));
  if (!answer) throw new Refused('server_unreachable');
  return answer;
}

/** A joined server that the user may write to as far as is known; before a refusal the database is asked. */
function cachedServer(context: PlaneContext, { actor, joined }: PanelConnection, server_id: string) {
  const server = context.isListening() ? joined.get(server_id) : undefined;
  if (!server || whyNotHave.console(actor, server.facts) || whyNotCommand(server.facts)) return null;
  return server;
}

async function authorizedServer(context: PlaneContext, connection: PanelConnection, server_id: string) {
  const { sql, now } = context;
  connection.actor = await authenticate(context, connection.token);
  const read = () => findAuthorizedServer(sql, connection.actor, server_id, now(), whyNotHave.console);
  let server = await read();
  if (server.facts.power === 'unknown') {
    await connectionOf(context, server.node_id);
    server = await read();
  }
  assertAllowed(whyNotCommand(server.facts));
  return server;
}
