import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { unmountBelow } from '#agents/disk/mounts.ts';
import { labels } from '#agents/docker/client.ts';
import { privateDocker } from '#agents/testing/private-docker.ts';
import { tinyServerImage } from '#agents/testing/tiny-server.ts';
import { createToken } from '#db/accounts/tokens/write.ts';
import { addNode, type NewNode } from '#db/hosting/nodes/write.ts';
import { regions } from '#db/money/billing/rules.ts';
import { unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import { createUser } from '#db/platform/people/write.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { parseControlAddress } from '#db/platform/runtime/control-address.ts';
import { openControlPlanes } from '#site/platform/http/control-planes.ts';
import { socketProxy } from '#site/platform/http/socket-proxy.ts';
import { transferProxy } from '#site/platform/http/transfer-proxy.ts';
import { root } from '../../install.mjs';
import { probe } from '../../readiness.ts';
import { claimPorts } from '../claimed-ports.ts';
import { freePort } from '../product.ts';

const planeNames = ['plane', 'other plane'] as const;
const agentNames = ['agent', 'other agent'] as const;
/** What is killed under running game servers. */
export type Part = 'engine' | (typeof planeNames)[number] | (typeof agentNames)[number];

/** A node of a cluster, with its agent. */
interface ClusterNode {
  part: (typeof agentNames)[number];
  id: string;
  /** The folder of the agent. */
  data: string;
}

/** Control planes, agents and a Docker engine, each in a process that can be killed, and a client. */
export interface Cluster {
  /** The parts that may be killed. */
  parts: readonly Part[];
  /** The site's proxy of sockets, which agents and client go through. */
  url: string;
  token: string;
  docker: Docker;
  nodes: readonly ClusterNode[];
  /** The folder of the first agent. */
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

/** What a cluster has. */
export interface ClusterShape {
  planes?: 1 | 2;
  /** Each with a node of its own. */
  agents?: 1 | 2;
  /** `machine`: that of the machine, which is never killed and whose ports this process reaches. */
  engine?: 'private' | 'machine';
  /** Settings of the agents. */
  agent_env?: Record<string, string>;
}

/** Nodes on one machine have different ports. */
const ports_each = 20;

/** Starts everything on a migrated database. Needs root (a private engine has its own network). */
export async function chaosCluster(
  { sql, address, name }: Database,
  { planes: plane_count = 1, agents = 1, engine: which = 'private', agent_env = {} }: ClusterShape = {},
): Promise<Cluster> {
  // `bin/containers.ts` finds by the process id whether the test still runs
  const folder = mkdtempSync(join(tmpdir(), `cairn-agent-${process.pid}-`));
  const children = new Map<Part, ChildProcess>();
  const image = await tinyServerImage(new Docker());
  const engine = which === 'private' ? await privateDocker({ live_restore: true }) : null;
  const door = await openDoor(address);
  const { port } = door.address() as { port: number };
  const planes = new Map<Part, string>();
  for (const part of planeNames.slice(0, plane_count))
    planes.set(part, `http://127.0.0.1:${await freePort()}`);
  const site = await openSite([...planes.values()]);
  const nodes = await addNodes(sql, folder, await claimPorts(), agentNames.slice(0, agents));
  const begin = (part: Part, args: string[], env: Record<string, string>) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      // it ends with the process of the test
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, LOG_LEVEL: 'fatal', ...env },
    });
    children.set(part, child);
  };
  const start = async (part: Part): Promise<void> => {
    if (part === 'engine') return await engine?.start();
    const node = nodes.find((one) => one.part === part);
    if (node)
      return begin(part, ['agents/testing/agent.ts', site.url, node.data, image, node.join_token], {
        ...(engine && { DOCKER_HOST: engine.address }),
        ...agent_env,
      });
    begin(part, ['control-plane/main.ts'], {
      DATA_DIR: folder,
      DATABASE_URL: `postgres://cairn_plane@127.0.0.1:${port}/${name}`,
      CONTROL_URL: planes.get(part)!,
      SEED: 'none',
      PAYMENTS: 'test',
    });
  };
  const kill = async (part: Part): Promise<void> => {
    if (part === 'engine') return await engine?.kill('SIGKILL');
    const child = children.get(part);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await gone;
  };
  const docker = engine?.docker ?? new Docker();
  const ground: Cluster = {
    parts: [
      ...nodes.slice(0, 1).map(({ part }) => part),
      'plane',
      ...(engine ? (['engine'] as const) : []),
      ...planeNames.slice(1, plane_count),
      ...nodes.slice(1).map(({ part }) => part),
    ],
    url: site.url,
    token: '',
    docker,
    nodes,
    agent_data: nodes[0]!.data,
    kill,
    async strike(part) {
      await kill(part);
      await start(part);
    },
    async end() {
      for (const part of children.keys()) await kill(part);
      if (engine) await engine.remove();
      else await removeContainers(docker, nodes);
      await unmountBelow(folder);
      site.close();
      door.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    if (engine) await engine.take(new Docker(), image);
    ground.token = await owner(sql);
    for (const [part, url] of planes) {
      await start(part);
      await ready(url);
    }
    for (const { part } of nodes) await start(part);
    await online(sql, nodes.length);
    return ground;
  } catch (error) {
    await ground.end();
    throw error;
  }
}

async function addNodes(
  sql: Pool,
  folder: string,
  first_port: number,
  parts: readonly ClusterNode['part'][],
): Promise<(ClusterNode & { join_token: string })[]> {
  const nodes = [];
  for (const [index, part] of parts.entries()) {
    const from = first_port + index * ports_each;
    const node: NewNode = {
      ...{ name: part.replace(' ', '-'), region: regions[0]!, public_address: '127.0.0.1', overcommit: 8 },
      ...{ port_from: from, port_to: from + ports_each - 1 },
    };
    nodes.push({ part, data: join(folder, node.name), ...(await addNode(sql, node, new Date())) });
  }
  return nodes;
}

/** Waits until the agents have joined: a token works once, so none of them may die before. */
async function online(sql: Pool, count: number): Promise<void> {
  while ((await sql`select 1 from nodes where status = 'online'`).length < count)
    await new Promise((done) => setTimeout(done, 100));
}

async function removeContainers(docker: Docker, nodes: readonly ClusterNode[]): Promise<void> {
  for (const { id } of nodes)
    for (const { Id } of await docker.listContainers({
      all: true,
      filters: { label: [`${labels.node}=${id}`] },
    }))
      await docker.getContainer(Id).remove({ force: true, v: true });
}

async function owner(sql: Pool): Promise<string> {
  const now = new Date();
  const email = 'ada@example.org';
  const user_id = await createUser(sql, { username: 'ada', email, password: 'three-flat-stones', now });
  const expires = new Date(now.getTime() + 86_400_000);
  const token = { user_id, name: 'chaos', scopes: unrestrictedScopes, expires, now, mailing: null, by: null };
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

/** What the site has before its control planes: each socket goes to one that is ready, or the next one; files go to the first. */
async function openSite(addresses: string[]): Promise<{ url: string; close(): void }> {
  const planes = openControlPlanes(addresses.map(parseControlAddress));
  const proxy = socketProxy({ planes, addressOf: () => '127.0.0.1' });
  const transfer = transferProxy(parseControlAddress(addresses[0]!));
  const handle: RequestListener = (req, res) => void transfer(req, res).catch(() => res.destroy());
  const server = createHttpServer(handle).on('upgrade', proxy.upgrade);
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
