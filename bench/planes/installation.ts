import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PlaneProcess, planeProcess } from '#control/testing/plane-process.ts';
import { scheduleServer } from '#db/hosting/servers/schedule.ts';
import { startPostgres } from '#db/platform/postgres/embedded-postgres.ts';
import { connect, type Pool } from '#db/platform/postgres/sql.ts';
import { token, user } from '#db/testing/builders/build.ts';
import { node, server } from '#db/testing/builders/hosting.ts';
import { prepareDatabase } from '#db/testing/prepare-database.ts';
import { compile, compileCache } from '../../bin/install.mjs';
import { memory_bounds, streaming_args } from '../../bin/processes.ts';
import type { Print, Wanted } from './agent.ts';

/** Accounts that may watch every console; each may have 20 sockets at a plane. */
const people = 30;
export const sockets_each = 20;

/** Two planes on a Postgres of their own, an agent at the first one with servers that run, and accounts. */
export interface Installation {
  /** The plane that has the agent, and the other one. */
  planes: readonly [PlaneProcess, PlaneProcess];
  /** Addresses of the site in front of each: what browsers connect to. */
  sites: readonly [string, string];
  servers: string[];
  /** Tokens of accounts, one network each. */
  viewers: { token: string; address: string }[];
  print(message: Print): void;
  end(): Promise<void>;
}

/** Starts everything, the planes as `npm start` does. */
export async function openInstallation(server_count: number): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-planes-'));
  const cleanup: Array<() => unknown> = [() => rmSync(folder, { recursive: true, force: true })];
  const end = async () => {
    for (const undo of cleanup.splice(0).reverse()) await undo();
  };
  try {
    const postgres = await startPostgres(folder, [], { trust: true });
    cleanup.push(() => postgres.stop());
    const sql = connect({ address: postgres.address, max: 4 });
    cleanup.push(() => sql.end({ timeout: 1 }));
    await prepareDatabase(postgres);
    const env = { NODE_ENV: 'production', NODE_COMPILE_CACHE: compileCache, ...memory_bounds.env };
    await compile({ ...process.env, ...env }); // like start.mjs
    const planes: PlaneProcess[] = [];
    for (let number = 0; number < 2; number++) {
      const plane = await planeProcess({
        database: { address: postgres.address, name: 'cairn' },
        data: folder,
        env,
        args: [
          '--enable-source-maps',
          ...streaming_args,
          '--max-semi-space-size=8',
          ...(process.env.BENCH_NODE_ARGS?.split(' ') ?? []),
        ],
      });
      cleanup.push(() => plane.end('SIGTERM'));
      planes.push(plane);
    }
    const sites: string[] = [];
    for (const { url } of planes) {
      const site = fork(join(import.meta.dirname, 'site.ts'), [url]);
      cleanup.push(() => site.kill());
      const [port] = (await once(site, 'message')) as [number];
      sites.push(`http://127.0.0.1:${port}`);
    }
    const machine = await nodeWith(sql, server_count);
    const agent = startAgent({ url: planes[0]!.url, ...machine });
    cleanup.push(() => agent.kill());
    await once(agent, 'message');
    return {
      planes: planes as unknown as Installation['planes'],
      sites: sites as unknown as Installation['sites'],
      servers: machine.server_ids,
      viewers: await accounts(sql),
      print: (message) => void agent.send(message),
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function nodeWith(sql: Pool, count: number) {
  const now = new Date();
  const { id: node_id, secret } = await node(sql, now);
  const owner = await user(sql);
  const server_ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const id = await server(sql, owner, { ram_mb: 2_048 });
    await sql.begin((tx) => scheduleServer(tx, id, now));
    await sql`update servers set lifecycle = 'ready', seen = '{"installed": 1}' where id = ${id}`;
    server_ids.push(id);
  }
  return { node_id, secret, server_ids };
}

const startAgent = (wanted: Wanted) =>
  fork(join(import.meta.dirname, 'agent.ts'), [JSON.stringify(wanted)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

async function accounts(sql: Pool): Promise<Installation['viewers']> {
  const made: Installation['viewers'] = [];
  for (let number = 1; number <= people; number++)
    made.push({
      token: await token(sql, await user(sql, { role: 'admin' })),
      address: `198.51.100.${number}`,
    });
  return made;
}
