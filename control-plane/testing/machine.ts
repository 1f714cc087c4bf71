import { expect } from 'vitest';
import { scheduleServer } from '#db/hosting/servers/schedule.ts';
import { newId } from '#db/platform/id.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { token, user } from '#db/testing/builders/build.ts';
import { node, server } from '#db/testing/builders/hosting.ts';
import { type AgentProcess, agentProcess } from './plane-process.ts';

/** A node with an agent, and a server on it whose console is never silent. */
export interface Machine {
  node_id: string;
  server_id: string;
  /** The owner's token. */
  token: string;
  agent: AgentProcess;
}

/** A node with its server, which prints a line every `every_ms`; its agent tries the planes in this order. */
export async function machine(sql: Pool, urls: string[], every_ms = 20): Promise<Machine> {
  const now = new Date();
  const region = `r-${newId().toLowerCase()}`;
  const { id: node_id, secret } = await node(sql, now, { region });
  const owner = await user(sql);
  const server_id = await server(sql, owner, { region });
  await sql.begin((tx) => scheduleServer(tx, server_id, now));
  await sql`update servers set lifecycle = 'ready', seen = '{"installed": 1}' where id = ${server_id}`;
  const agent = agentProcess({ urls, node_id, secret, server_id, every_ms });
  await expect.poll(() => agent.at()).toBe(urls[0]);
  return { node_id, server_id, token: await token(sql, owner), agent };
}
