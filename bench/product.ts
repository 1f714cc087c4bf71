import { type ChildProcess, fork, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, compileCache, lean, root } from '../bin/install.mjs';

export interface Product {
  url: string;
  data_dir: string;
  /** Pid of the supervisor. */
  pid: number;
  /** Seconds from the command until `/readyz` answers 200. */
  ready_s: number;
  stop(): Promise<void>;
}

/** The processes that the supervisor recorded: site, control plane, agent. */
export const childrenOf = ({ data_dir }: Product): Array<{ name: string; pid: number }> =>
  JSON.parse(readFileSync(join(data_dir, 'cairn.children'), 'utf8'));

/**
 * Starts the product like `npm start` and waits until it is ready; rate limits are off so that load is not refused.
 * `settings` are added to the environment; `node` is the executable to use.
 */
export async function startProduct(
  data_dir: string,
  port: number,
  settings: Record<string, string> = {},
  node = process.execPath,
): Promise<Product> {
  const began = performance.now();
  const env = {
    ...process.env,
    DATA_DIR: data_dir,
    PORT: String(port),
    SITE_URL: `http://127.0.0.1:${port}`,
    SEED: 'demo',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    HOSTING: 'off',
    AGENT_DISK: 'measured',
    NODE_COMPILE_CACHE: compileCache,
    ...settings,
  };
  // like start.mjs
  await compile(env);
  const child = spawn(node, [...lean, 'bin/main.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await until(child, async () => (await fetch(`${url}/readyz`)).ok);
  return {
    url,
    data_dir,
    pid: child.pid ?? 0,
    ready_s: (performance.now() - began) / 1000,
    stop: () => end(child),
  };
}

/** Starts the baseline server (or `program`) with its settings in the environment; gives its address. */
export async function startBaseline(
  settings: Record<string, string>,
  program = 'bench/baseline.ts',
): Promise<{ url: string; stop(): Promise<void> }> {
  const child = fork(program, {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const port = await new Promise<number>((done, fail) => {
    child.once('message', (value) => done(Number(value)));
    child.once('exit', () => fail(new Error('the baseline server exited')));
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => end(child) };
}

async function until(child: ChildProcess, good: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 300_000; waited += 100) {
    if (child.exitCode !== null) throw new Error(`the product exited with code ${child.exitCode}`);
    if (await good().catch(() => false)) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('the product was not ready within five minutes');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}
