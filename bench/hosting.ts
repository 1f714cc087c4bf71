import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withControlPlane } from '../bin/cairn/control-client.ts';
import { removeLeftovers } from '../bin/containers.ts';
import { measureBurst } from './hosting/burst.ts';
import { measureEcho } from './hosting/echo.ts';
import { createAccount, startServer, waitUntilRunning } from './hosting/fixtures.ts';
import { measureIdle } from './hosting/idle.ts';
import { startProduct } from './product.ts';
import type { Row } from './report.ts';

/**
 * Consoles and agent of the whole product, compared with a plain attach of Docker; needs a Docker engine. About ten
 * minutes, mostly for starting 50 servers (BENCH_SERVERS sets the number). Adds to `rows`.
 */
export async function measureHosting(rows: Row[]): Promise<void> {
  const port = Number(process.env.BENCH_PORT ?? 5390);
  const data_dir = mkdtempSync(join(tmpdir(), 'cairn-bench-hosting-'));
  const settings = { HOSTING: 'on', SEED: 'none', PAYMENTS: 'test', SERVER_KIND: 'local', OVERCOMMIT: '100' };
  const product = await startProduct(data_dir, port, settings);
  try {
    const token = await createAccount(product, 'owner');
    await withControlPlane({ url: product.url, token }, async (owner) => {
      const id = await startServer(owner, 'Measured');
      await waitUntilRunning(owner, [id], 240_000);
      rows.push(...(await measureEcho(owner, id)));
      rows.push(...(await measureBurst(product, owner, id)));
      rows.push(await measureIdle(product, owner, id));
    });
  } finally {
    await product.stop();
    await removeLeftovers(data_dir);
    rmSync(data_dir, { recursive: true, force: true });
  }
}
