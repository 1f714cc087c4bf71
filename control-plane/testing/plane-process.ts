import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Control planes and agents as processes of their own, which tests kill, stop and cut off. */

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A TCP way to the test database, which has no port: it can be cut and mended. */
export class Door {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** `refuse` closes connections, `hang` lets nothing through any more. */
  state: 'open' | 'refuse' | 'hang' = 'open';

  constructor(folder: string) {
    this.#server = createServer((from) => {
      this.#sockets.add(from.on('close', () => this.#sockets.delete(from)).on('error', () => {}));
      if (this.state === 'refuse') return void from.destroy();
      if (this.state === 'hang') return void from.pause();
      const to = connect(join(folder, '.s.PGSQL.5432'));
      from.on('close', () => to.destroy());
      to.on('error', () => from.destroy()).on('close', () => from.destroy());
      from.on('data', (bytes) => this.state === 'open' && to.write(bytes));
      to.on('data', (bytes) => this.state === 'open' && from.write(bytes));
    });
  }

  async open(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as { port: number }).port;
  }

  cut(how: 'refuse' | 'hang'): void {
    this.state = how;
    if (how === 'refuse') for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    // what was swallowed is gone: those connections are of no use
    if (this.state === 'hang') for (const socket of this.#sockets) socket.destroy();
    this.state = 'open';
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

export interface PlaneProcess {
  url: string;
  door: Door;
  child: ChildProcess;
  /** What it logged, as objects. */
  logged: { level: string; msg: string }[];
  readyz(): Promise<number>;
  end(signal?: NodeJS.Signals): Promise<void>;
}

interface PlaneOptions {
  /** Folder of the socket of a Postgres without passwords, and a database with the roles of the product. */
  database: { address: string; name: string };
  /** DATA_DIR, with the key of the installation. */
  data: string;
  /** A free one by default. */
  port?: number;
  env?: Record<string, string>;
  args?: string[];
}

/** Starts `control-plane/main.ts` on a port of its own and waits until it is ready. */
export async function planeProcess({
  database,
  data,
  port,
  env = {},
  args = [],
}: PlaneOptions): Promise<PlaneProcess> {
  const door = new Door(database.address);
  const url = `http://127.0.0.1:${port ?? (await freePort())}`;
  const child = spawn(process.execPath, [...args, 'control-plane/main.ts'], {
    cwd: root,
    // it ends with the process of the test
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ...{ LOG_LEVEL: 'warn', NODE_ENV: 'test', SEED: 'none', PAYMENTS: 'test' },
      ...{ SITE_URL: 'http://cairn.test', DATA_DIR: data, CONTROL_URL: url },
      DATABASE_URL: `postgres://cairn_plane@127.0.0.1:${await door.open()}/${database.name}`,
      ...env,
    },
  });
  const logged: PlaneProcess['logged'] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if (process.env.TEST_LOG) console.log(url, line);
    try {
      logged.push(JSON.parse(line));
    } catch {
      // not of the log
    }
  });
  const plane: PlaneProcess = {
    ...{ url, door, child, logged },
    readyz: () =>
      fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(
        ({ status }) => status,
        () => 0,
      ),
    async end(signal = 'SIGKILL') {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        child.kill('SIGCONT');
        child.kill(signal);
        await gone;
      }
      door.close();
    },
  };
  while ((await plane.readyz()) !== 200) {
    if (child.exitCode !== null)
      throw new Error(`the plane ended with ${child.exitCode}: ${JSON.stringify(logged)}`);
    await new Promise((done) => setTimeout(done, 100));
  }
  return plane;
}

/** What `agent-process.ts` says. */
interface Said {
  connected?: string;
  lost?: string;
  command?: string;
  lease?: number;
  /** Of a specification that it got. */
  restart_seq?: number;
}

export interface AgentProcess {
  said: Said[];
  /** The plane it is connected to; null in between. */
  at(): string | null;
  commands(): string[];
  end(): void;
}

/** Starts a scripted agent whose server prints a line every `every_ms`. */
export function agentProcess(wanted: {
  urls: string[];
  node_id: string;
  secret: string;
  server_id: string;
  every_ms: number;
}): AgentProcess {
  const args = ['control-plane/testing/agent-process.ts', JSON.stringify(wanted)];
  const stdio = ['ignore', 'pipe', 'inherit', 'ipc'] as const;
  const child = spawn(process.execPath, args, { cwd: root, stdio: [...stdio] });
  const said: Said[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => said.push(JSON.parse(line)));
  return {
    said,
    at: () => said.findLast(({ connected, lost }) => connected ?? lost)?.connected ?? null,
    commands: () => said.flatMap(({ command }) => (command === undefined ? [] : [command])),
    end: () => void child.kill('SIGKILL'),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
