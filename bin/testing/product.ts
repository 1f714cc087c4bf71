import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { clustersBelow } from '#db/platform/postgres/embedded-postgres.ts';

/** A folder that only its owner may enter, as `mktemp -d` makes it. `bin/run-folder.ts` removes it after a killed test. */
export const privateFolder = (): string => mkdtempSync(join(tmpdir(), `cairn-start-${process.pid}-`));

/** Removes the folder, and the databases of its products that lie elsewhere. */
export async function removeFolder(folder: string): Promise<void> {
  for (const path of [...clustersBelow(folder), folder]) await rm(path, { recursive: true, force: true });
}

/** Ends the product in any state, and every process that still mentions its folder or its database. */
export async function endAll(product: Product | undefined, folder: string): Promise<void> {
  await product?.end('SIGKILL', 'group').catch(() => {});
  for (const pid of [folder, ...clustersBelow(folder)].flatMap(processesOf)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it ended meanwhile
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

export interface Product {
  /** The pid of the `npm start` process, which leads a process group. */
  pid: number;
  output(): string;
  /**
   * Resolves when the startup banner is printed; rejects with the output when the process ended or `limit_ms` passed.
   */
  ready(limit_ms: number): Promise<void>;
  /** Resolves when everything has ended; rejects where a part had to be killed because it did not end in time. */
  end(signal: NodeJS.Signals, whom?: 'npm' | 'group'): Promise<void>;
  /** Resolves with the exit code, null after a signal. */
  exited: Promise<number | null>;
}

/** Runs `npm start` without a terminal, in an environment with only the given variables. */
export function start(folder: string, env: Record<string, string>): Product {
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: strangersEnv(env),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  const exited = new Promise<number | null>((done) => child.once('close', done));
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid!,
    output: () => output,
    exited,
    async ready(limit_ms) {
      for (const end = Date.now() + limit_ms; !output.includes('Cairn is ready'); await setTimeout(50)) {
        if (ended()) throw new Error(`It ended instead of becoming ready:\n${output}`);
        if (Date.now() > end) throw new Error(`It was not ready within ${limit_ms} ms:\n${output}`);
      }
    },
    async end(signal, whom = 'npm') {
      send(child, signal, whom);
      await exited;
      const killed = /^.* did not end within .*$/m.exec(output);
      if (killed) throw new Error(killed[0]);
    },
  };
}

function send(child: ChildProcess, signal: NodeJS.Signals, whom: 'npm' | 'group'): void {
  process.kill(whom === 'group' ? -child.pid! : child.pid!, signal);
}

/** PATH, the temporary folder and npm's own settings (registry, cache) of this environment, nothing else. */
export function strangersEnv(env: Record<string, string>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      /^(LANG|TMPDIR)$/.test(name) || (name.startsWith('npm_config_') && !/prefix|global/.test(name)),
  );
  const path = process.env.PATH?.split(':')
    .filter((part) => !part.includes('node_modules'))
    .join(':');
  return { ...Object.fromEntries(kept), PATH: path, npm_config_prefer_offline: 'true', ...env };
}

/** Runs the `cairn` command of a checkout and gives its output; fails with all of it. */
export async function cairn(folder: string, env: Record<string, string>, ...args: string[]): Promise<string> {
  const options = { cwd: folder, env: strangersEnv(env) };
  return await new Promise((done, fail) => {
    execFile('npm', ['run', '-s', 'cairn', '--', ...args], options, (error, stdout, stderr) => {
      if (error) fail(new Error(`cairn ${args.join(' ')}: ${stderr}${stdout}`));
      else done(stdout.trim());
    });
  });
}

/** The pids of the running processes whose command line or folder mentions `text`. */
export function processesOf(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}
