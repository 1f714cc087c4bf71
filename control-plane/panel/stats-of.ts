import { serversById } from '#db/hosting/servers/read.ts';
import { askAgent } from '../agents/connection-of.ts';
import type { ServerStats } from '../protocol/console.ts';
import type { PanelServices } from './services.ts';

/** Servers of a node that are asked for at once. */
const max_servers = 1_000;

/**
 * Stats of the last minute of each of these servers, oldest first, as far as they are known: here, or at the planes that
 * have their agents, which get a second to answer.
 */
export async function statsOf(
  { context, consoles }: Pick<PanelServices, 'context' | 'consoles'>,
  server_ids: readonly string[],
): Promise<Record<string, ServerStats[]>> {
  const { sql, now, agents } = context;
  const found = Object.fromEntries(server_ids.map((id) => [id, consoles.statsOf(id)]));
  // a server that is watched here has stats here too, but only since then
  const elsewhere = new Map<string, string[]>();
  if (context.membership.others.length > 0 && server_ids.length > 0)
    for (const { view, node_id } of await serversById(sql, server_ids, now())) {
      if (node_id === null || agents.has(node_id)) continue;
      elsewhere.set(node_id, [...(elsewhere.get(node_id) ?? []), view.id]);
    }
  await Promise.all(
    [...elsewhere].map(async ([node_id, ids]) => {
      const some = ids.slice(0, max_servers);
      const there = await askAgent(context, node_id, (agent) => agent.stats(some), 0).catch(() => ({}));
      Object.assign(found, there);
    }),
  );
  return found;
}
