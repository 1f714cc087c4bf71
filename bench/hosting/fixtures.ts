import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { type ControlClient, withControlPlane } from '../../bin/cairn/control-client.ts';
import { childrenOf, type Product } from '../product.ts';

/** The cairn command for the product under measurement. */
async function cairn({ url, data_dir }: Product, ...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: data_dir, PORT: new URL(url).port };
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/cairn.ts', ...args], { env });
  return stdout.trim();
}

/** Creates an account and gives a token of it. */
export async function createAccount(product: Product, name: string, role = 'developer'): Promise<string> {
  const given = ['--username', name, '--email', `${name}@example.org`, '--password', 'three-flat-stones'];
  await cairn(product, 'user', 'create', ...given, '--role', role);
  return await cairn(product, 'token', 'create', '--user', name, '--scopes', 'all', '--days', '1');
}

/** Pid of the product's agent. */
export const agentPid = (product: Product): number =>
  childrenOf(product).find(({ name }) => name === 'agent')!.pid;

/** Orders a server of two gigabytes and starts it. */
export async function startServer({ request }: ControlClient, name: string): Promise<string> {
  const wish = {
    ...{ op_id: randomUUID(), name, plan: 'custom', ram_gb: 2, kind: 'local', terms_accepted: true },
    game_version: '1.16.5', // the lightest, as in all earlier figures
  };
  const { id } = await request('server.create', wish);
  await request('server.power', { server_id: id, op_id: randomUUID(), action: 'start' });
  return id;
}

/** Waits until all these servers run. */
export async function waitUntilRunning(
  { request }: ControlClient,
  ids: readonly string[],
  limit_ms: number,
): Promise<ServerView[]> {
  for (const end = Date.now() + limit_ms; ; await setTimeout(500)) {
    const { servers } = await request('server.list', {});
    const ours = servers.filter(({ id }) => ids.includes(id));
    if (ours.length === ids.length && ours.every(({ state }) => state === 'running')) return ours;
    if (Date.now() > end)
      throw new Error(`not all servers started in time: ${ours.map(({ state }) => state).join(' ')}`);
  }
}

/**
 * Opens `count` sockets as one user from the loopback address 127.0.0.`host`, lets `work` use them, closes them. Users
 * at different addresses count as different networks for the site's limit of connections.
 */
export async function withSockets<T>(
  { url, token, host, count }: { url: string; token: string; host: number; count: number },
  work: (planes: ControlClient[]) => Promise<T>,
): Promise<T> {
  const agent = new Agent({ localAddress: `127.0.0.${host}` });
  const open = async (planes: ControlClient[]): Promise<T> =>
    planes.length === count
      ? await work(planes)
      : await withControlPlane({ url, token, agent }, async (plane) => await open([...planes, plane]));
  return await open([]);
}
