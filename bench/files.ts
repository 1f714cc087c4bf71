import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { withControlPlane } from '../bin/cairn/control-client.ts';
import { removeLeftovers } from '../bin/containers.ts';
import { measureAgentMemory } from './files/agent-memory.ts';
import { measureListing } from './files/listing.ts';
import { measureTransfers } from './files/transfers.ts';
import { agentPid, createAccount, startServer, waitUntilRunning } from './hosting/fixtures.ts';
import { startProduct } from './product.ts';
import type { Row } from './report.ts';

/**
 * Files of game servers in the whole product: transfers of a large file, compared with bare processes, a large folder, and the memory
 * of the agent; needs a Docker engine. Five minutes. Bytes pass the control plane, or go to the port of the agent. Adds to `rows`.
 */
export async function measureFiles(rows: Row[]): Promise<void> {
  rows.push(...(await measureListing()));
  const port = Number(process.env.BENCH_PORT ?? 5390);
  const [inspector_port, transfer_port] = [port + 1, port + 2];
  const data_dir = mkdtempSync(join(tmpdir(), 'cairn-bench-files-'));
  const product = await startProduct(data_dir, port, {
    ...{ HOSTING: 'on', SEED: 'none', PAYMENTS: 'test', SERVER_KIND: 'local', OVERCOMMIT: '100' },
    CAIRN_AGENT_TRANSFER_PORT: String(transfer_port),
    CAIRN_AGENT_TRANSFER_URL: `http://127.0.0.1:${transfer_port}`,
    // only a process that gets SIGUSR1 listens there
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --inspect-port=127.0.0.1:${inspector_port}`,
  });
  try {
    const token = await createAccount(product, 'owner');
    await withControlPlane({ url: product.url, token }, async (plane) => {
      const server_id = await startServer(plane, 'Measured');
      await waitUntilRunning(plane, [server_id], 240_000);
      // an idle game would disturb
      await plane.request('server.power', { server_id, op_id: randomUUID(), action: 'stop' });
      while ((await plane.request('server.show', { server_id })).server.state !== 'stopped')
        await setTimeout(200);
      const way = { url: product.url, plane, server_id };
      const folder = join(data_dir, 'agent/servers', server_id);
      for (const by of ['site', 'port'] as const)
        rows.push(...(await measureTransfers({ ...way, by, agent_pid: agentPid(product), folder })));
      rows.push(await measureAgentMemory({ ...way, agent: { pid: agentPid(product), inspector_port } }));
    });
  } finally {
    await product.stop();
    await removeLeftovers(data_dir);
    rmSync(data_dir, { recursive: true, force: true });
  }
}
