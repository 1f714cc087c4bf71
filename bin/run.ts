import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { childTimer } from './child-time.ts';
import { root } from './install.mjs';

export interface Ran {
  code: number;
  /** Its output, when it was captured. */
  output: string;
  seconds: number;
}

export interface RunOptions {
  env?: Record<string, string>;
  quiet?: boolean;
  aside?: boolean;
  /** It is ended, with all processes that it started, when it takes longer. */
  timeout_ms?: number;
  onTimeout?(): void;
}

/** What does not end by itself within this time is killed. */
const grace_ms = 15_000;

/**
 * Runs a program of node_modules/.bin (or the system) in the project folder; its output is inherited unless `quiet`.
 * `aside` lowers the priority: for what runs beside something longer that uses one core only.
 */
export async function run(
  program: string,
  args: string[],
  { env = {}, quiet = false, aside = false, timeout_ms, onTimeout }: RunOptions = {},
): Promise<Ran> {
  const began = Date.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`, ...env },
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    // a group of its own can be ended with all its processes
    detached: timeout_ms !== undefined,
  });
  if (aside && child.pid) setPriority(child.pid, 5);
  const stop = () => void (timeout_ms === undefined ? child.kill('SIGTERM') : endGroup(child));
  const end = () => {
    onTimeout?.();
    stop();
  };
  const late = timeout_ms === undefined ? undefined : setTimeout(end, timeout_ms);
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  const code = await new Promise<number>((done) => {
    child.on('error', (error) => {
      output += error.message;
      done(127);
    });
    child.on('exit', childTimer());
    child.on('close', (status) => done(status ?? 1));
  });
  clearTimeout(late);
  for (const signal of signals) process.off(signal, stop);
  return { code, output, seconds: (Date.now() - began) / 1000 };
}

/** Ends a process that leads a group, and what it started, with force after a while. */
function endGroup(child: ChildProcess): void {
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, name);
    } catch {
      // nothing of it runs any more
    }
  };
  signal('SIGTERM');
  setTimeout(() => signal('SIGKILL'), grace_ms).unref();
}
