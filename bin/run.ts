import { spawn } from 'node:child_process';
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

interface RunOptions {
  env?: Record<string, string>;
  quiet?: boolean;
  aside?: boolean;
}

/**
 * Runs a program of node_modules/.bin (or the system) in the project folder; its output is inherited unless `quiet`.
 * `aside` lowers the priority: for what runs beside something longer that uses one core only.
 */
export async function run(
  program: string,
  args: string[],
  { env = {}, quiet = false, aside = false }: RunOptions = {},
): Promise<Ran> {
  const began = Date.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`, ...env },
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  });
  if (aside && child.pid) setPriority(child.pid, 5);
  const stop = () => child.kill('SIGTERM');
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
  for (const signal of signals) process.off(signal, stop);
  return { code, output, seconds: (Date.now() - began) / 1000 };
}
