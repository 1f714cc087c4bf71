import { spawn } from 'node:child_process';
import { embeddedPostgresAddress } from '#db/platform/postgres/embedded-postgres.ts';
import { root } from '../../bin/install.mjs';
import { memory_bounds } from '../../bin/processes.ts';
import type { Product } from '../product.ts';

interface SecondSite {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** A second site process on the same database and storage, with these settings. */
export async function startSecond(
  { data_dir, url }: Product,
  settings: Record<string, string> = {},
): Promise<SecondSite> {
  const port = Number(new URL(url).port) + 1;
  const child = spawn(process.execPath, [...memory_bounds.args, 'site/server.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...memory_bounds.env,
      DATA_DIR: data_dir,
      PORT: String(port),
      NODE_ENV: 'production',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
      HOSTING: 'off',
      DATABASE_SOCKET: embeddedPostgresAddress(data_dir),
      ...settings,
    },
  });
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    if ((await fetch(`${address}/readyz`).catch(() => null))?.ok) break;
    if (tries > 600 || child.exitCode !== null) throw new Error('the second site process did not start');
    await new Promise((done) => setTimeout(done, 100));
  }
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  return {
    url: address,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
