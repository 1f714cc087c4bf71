import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { unmountBelow } from '#agents/disk/mounts.ts';
import { labels } from '#agents/docker/client.ts';
import { tinyServerImage } from '#agents/testing/tiny-server.ts';
import { startControlPlane, type TestControlPlane } from '#control/testing/plane.ts';
import { storageFolder } from '#control/testing/stored-backups.ts';
import { addNode } from '#db/hosting/nodes/write.ts';
import { requestMove } from '#db/hosting/servers/moves/request.ts';
import { scheduleServer } from '#db/hosting/servers/schedule.ts';
import { setPower } from '#db/hosting/servers/write.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import { actorFor, type BuiltUser, user } from '#db/testing/builders/build.ts';
import { server } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';
import { claimPorts } from './claimed-ports.ts';

/** A node with an agent in a process of its own. */
export interface Machine {
  node_id: string;
  region: string;
  /** The folder of its agent. */
  data: string;
  agent: ChildProcess;
}

/** `tiny` obeys a console, `demo` is the game server of the demo, which players can join. */
type Game = 'tiny' | 'demo';

/** For what agents and Docker do: only a failure waits so long. */
export const patience = { timeout: 60_000, interval: 25 };

/** A real control plane, Postgres, Docker and any number of machines with agents, for one test file. */
export function testMachines(game: Game = 'tiny') {
  const database = testDatabase();
  const disk = storageFolder();
  const docker = new Docker();
  const folders = mkdtempSync(join(tmpdir(), `cairn-agent-${process.pid}-`));
  const agents: ChildProcess[] = [];
  const here = {} as { image: string; plane: TestControlPlane; owner: BuiltUser };
  /** The first port of the next node: no two have the same. */
  let next_port = 0;

  beforeAll(async () => {
    next_port = await claimPorts();
    if (game === 'tiny') here.image = await tinyServerImage(docker);
    here.plane = await startControlPlane(database.sql, 0, undefined, { storage: diskStorage(disk.folder) });
    here.owner = await user(database.sql);
  });
  afterAll(async () => {
    for (const one of agents) one.kill('SIGKILL');
    const label = `${labels.installation}=${here.plane.plane.context.installation}`;
    const own = await docker.listContainers({ all: true, filters: { label: [label] } });
    await Promise.all(own.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
    await here.plane.close();
    await unmountBelow(folders);
    rmSync(folders, { recursive: true, force: true });
    disk.end();
  });

  function startAgent(data: string, token: string, clock_ms = 0): ChildProcess {
    mkdirSync(data, { recursive: true });
    const clock = clock_ms === 0 ? [] : ['--import', './control-plane/testing/shifted-clock.ts'];
    const args =
      game === 'tiny'
        ? ['agents/testing/agent.ts', here.plane.url, data, here.image, token]
        : ['agents/main.ts'];
    const env = {
      ...{ CAIRN_AGENT_URL: here.plane.url, CAIRN_AGENT_DATA: data, CAIRN_AGENT_JOIN: token },
      LOG_LEVEL: 'silent',
    };
    const agent = spawn(process.execPath, [...clock, ...args], {
      // it ends with the process of the test
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // disks of their own where this machine offers them; a failed run says what they warned of
      env: {
        ...{ CAIRN_AGENT_DISK: 'auto', AGENT_LOG: 'warn', ...process.env, SHIFT_MS: String(clock_ms) },
        ...(game === 'demo' && env),
      },
    });
    agents.push(agent);
    return agent;
  }

  const row = async (server_id: string) =>
    (
      await database.sql<
        { lifecycle: string; power: string; node_id: string; port: number; sleeping: boolean }[]
      >`
        select lifecycle, power, node_id, port, coalesce((seen->>'sleeping')::boolean, false) as sleeping
        from servers where id = ${server_id}`
    )[0];

  const all = {
    database,
    disk,
    docker,
    here,
    startAgent,
    /** What is stored of a server. */
    row,
    filesOf: ({ data }: Machine, server_id: string) => join(data, 'servers', server_id),
    becomes: (server_id: string, wanted: object) =>
      vi.waitFor(async () => expect(await row(server_id)).toMatchObject(wanted), patience),
    /** A node with an agent, whose clock may be wrong. */
    async emptyMachine(region: string, clock_ms = 0): Promise<Machine> {
      const name = `n-${randomUUID().slice(0, 8)}`;
      const ports = { port_from: next_port, port_to: next_port + 9 };
      next_port += 10;
      const made = { name, region, public_address: 'play.example.test', overcommit: 8, ...ports };
      const { id: node_id, join_token } = await addNode(database.sql, made, new Date());
      const data = join(folders, name);
      const agent = startAgent(data, join_token, clock_ms);
      await vi.waitFor(async () => {
        const [node] = await database.sql`
          select status, facts->>'docker' is not null as docker from nodes where id = ${node_id}`;
        expect(node).toEqual({ status: 'online', docker: true });
      }, patience);
      return { node_id, region, data, agent };
    },
    /** A server in a region, installed and off. */
    async serverIn(region: string): Promise<string> {
      const server_id = await server(database.sql, here.owner, {
        region,
        ram_mb: game === 'tiny' ? 128 : 512,
      });
      await database.sql`update servers set disk_mb = 1024 where id = ${server_id}`;
      await database.sql.begin((tx) => scheduleServer(tx, server_id, new Date()));
      await all.becomes(server_id, { lifecycle: 'ready' });
      return server_id;
    },
    /** A node with an agent, and a server on it that is installed and off. */
    async machine(): Promise<Machine & { server_id: string }> {
      const made = await all.emptyMachine(`r-${randomUUID().slice(0, 8)}`);
      return { ...made, server_id: await all.serverIn(made.region) };
    },
    /** Its owner starts, stops or restarts it. */
    power: (server_id: string, action: 'start' | 'stop' | 'restart') =>
      database.sql.begin((tx) =>
        setPower(tx, actorFor(here.owner), { server_id, op_id: randomUUID(), action }, new Date()),
      ),
    /** Staff begin to move it to a node. */
    async move(server_id: string, to_node: string): Promise<string> {
      const wanted = { id: randomUUID(), server_id, to_node, drop_backups: false };
      const by = { actor_id: here.owner.id, reason: 'staff' } as const;
      await database.sql.begin((tx) => requestMove(tx, wanted, by, new Date()));
      return wanted.id;
    },
    /** Waits until the node that a server left has nothing of it. */
    copiesGone: (server_id: string) =>
      vi.waitFor(async () => {
        const copies = await database.sql`select 1 from server_copies where server_id = ${server_id}`;
        expect(copies).toHaveLength(0);
      }, patience),
    /** Waits until a move is in a step. */
    moveIs: (id: string, wanted: object) =>
      vi.waitFor(
        async () => {
          const [move] = await database.sql`select step, error from server_tasks where id = ${id}`;
          expect(move).toMatchObject(wanted);
        },
        { ...patience, interval: 5 },
      ),
  };
  return all;
}
