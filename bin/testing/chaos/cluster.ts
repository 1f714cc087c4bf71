import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { unmountBelow } from '#agents/disk/mounts.ts';
import { type PrivateDocker, privateDocker } from '#agents/testing/private-docker.ts';
import { tinyServerImage } from '#agents/testing/tiny-server.ts';
import { regions } from '#db/billing/rules.ts';
import { addNode } from '#db/nodes/write.ts';
import { unrestrictedScopes } from '#db/people/rules.ts';
import { createUser } from '#db/people/write.ts';
import { parseControlAddress } from '#db/runtime/control-address.ts';
import { hashToken } from '#db/secrets/hash.ts';
import type { Pool } from '#db/sql.ts';
import { createToken } from '#db/tokens/write.ts';
import { openControlPlanes } from '#site/http/control-planes.ts';
import { socketProxy } from '#site/http/socket-proxy.ts';
import { root } from '../../install.mjs';
import { probe } from '../../readiness.ts';
import { freePort } from '../product.ts';

const planeNames = ['plane', 'other plane'] as const;
/** What is killed under running game servers. */
export type Part = 'agent' | 'engine' | (typeof planeNames)[number];

/** Control planes, an agent and a Docker engine, each in a process that can be killed, and a client. */
export interface Cluster {
  /** The parts that it has. */
  parts: readonly Part[];
  /** The site's proxy of sockets, which agent and client go through. */
  url: string;
  token: string;
  engine: PrivateDocker;
  /** The folder of the agent. */
  agent_data: string;
  /** SIGKILL and an immediate restart with the same data. */
  strike(part: Part): Promise<void>;
  /** SIGKILL. */
  kill(part: Part): Promise<void>;
  end(): Promise<void>;
}

interface Database {
  sql: Pool;
  /** The folder of its server's socket. */
  address: string;
  name: string;
}

/** Starts everything on a migrated database, with one or two planes; `agent_env` are settings of the agent. Needs root (the engine has its own network). */
export async function chaosCluster(
  { sql, address, name }: Database,
  plane_count: 1 | 2,
  agent_env: Record<string, string> = {},
): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-chaos-'));
  const agent_data = join(folder, 'agent');
  const children = new Map<Part, ChildProcess>();
  const image = await tinyServerImage(new Docker());
  const engine = await privateDocker({ live_restore: true });
  const door = await openDoor(address);
  const { port } = door.address() as { port: number };
  const planes = new Map<Part, string>();
  for (const part of planeNames.slice(0, plane_count))
    planes.set(part, `http://127.0.0.1:${await freePort()}`);
  const site = await openSite([...planes.values()]);
  const begin = (part: Part, args: string[], env: Record<string, string>) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, LOG_LEVEL: 'fatal', ...env },
    });
    children.set(part, child);
  };
  const start = async (part: Part): Promise<void> => {
    if (part === 'engine') return await engine.start();
    if (part === 'agent')
      return begin(part, ['agents/testing/agent.ts', site.url, agent_data, image], {
        DOCKER_HOST: engine.address,
        ...agent_env,
      });
    begin(part, ['control-plane/main.ts'], {
      DATA_DIR: folder,
      DATABASE_URL: `postgres://app@127.0.0.1:${port}/${name}`,
      CONTROL_URL: planes.get(part)!,
      SEED: 'none',
      PAYMENTS: 'test',
    });
  };
  const kill = async (part: Part): Promise<void> => {
    if (part === 'engine') return await engine.kill('SIGKILL');
    const child = children.get(part);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await gone;
  };
  const ground: Cluster = {
    parts: ['agent', 'plane', 'engine', ...planeNames.slice(1, plane_count)],
    url: site.url,
    token: '',
    engine,
    agent_data,
    kill,
    async strike(part) {
      await kill(part);
      await start(part);
    },
    async end() {
      await kill('agent');
      for (const part of planes.keys()) await kill(part);
      await engine.remove();
      await unmountBelow(agent_data);
      site.close();
      door.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await engine.take(new Docker(), image);
    ground.token = await owner(sql);
    for (const [part, url] of planes) {
      await start(part);
      await ready(url);
    }
    await start('agent');
    return ground;
  } catch (error) {
    await ground.end();
    throw error;
  }
}

/** The join token of the test's agent. */
const joinWord = 'join-me';

async function owner(sql: Pool): Promise<string> {
  const now = new Date();
  const node = { name: 'chaos', region: regions[0], public_address: '127.0.0.1', overcommit: 8 };
  const { id } = await addNode(sql, node, now);
  await sql`update nodes set join_hash = ${hashToken(joinWord)} where id = ${id}`;
  const email = 'ada@example.org';
  const user_id = await createUser(sql, { username: 'ada', email, password: 'three-flat-stones', now });
  const expires = new Date(now.getTime() + 86_400_000);
  const token = { user_id, name: 'chaos', scopes: unrestrictedScopes, expires, now, mailing: null };
  return (await createToken(sql, token)).access_token;
}

/** The test database has no port: a TCP proxy to its socket. */
async function openDoor(address: string): Promise<Server> {
  const door = createServer((from) => {
    const to = connect(join(address, '.s.PGSQL.5432'));
    from.pipe(to).pipe(from);
    from.on('error', () => to.destroy());
    to.on('error', () => from.destroy());
  });
  await new Promise<void>((done) => door.listen(0, '127.0.0.1', done));
  return door;
}

/** What the site has before its control planes: each socket goes to one that is ready, or the next one. */
async function openSite(addresses: string[]): Promise<{ url: string; close(): void }> {
  const planes = openControlPlanes(addresses.map(parseControlAddress));
  const proxy = socketProxy({ planes, addressOf: () => '127.0.0.1' });
  const server = createHttpServer().on('upgrade', proxy.upgrade);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    close() {
      proxy.close();
      planes.close();
      server.close();
    },
  };
}

async function ready(url: string): Promise<void> {
  const { hostname: host, port } = new URL(url);
  while ((await probe({ host, port: Number(port) }, '/readyz'))?.status !== 200)
    await new Promise((done) => setTimeout(done, 100));
}
