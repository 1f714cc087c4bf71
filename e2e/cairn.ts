import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compileCache } from '../bin/install.mjs';
import type { CommandOutcome } from './cairn-process.ts';
import { dataFolder, port } from './product.ts';

let runner: ChildProcess | null = null;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a `cairn` command for the product under test; gives what it prints, or throws what it says is wrong. One
 * process runs all commands of a worker, one after the other: to load a command takes longer than to run it.
 */
export function cairn(...args: string[]): Promise<string> {
  const done = last.then(() => run(args));
  last = done.catch(() => {});
  return done;
}

async function run(args: string[]): Promise<string> {
  runner ??= start();
  // a script that is done ends, although this process waits for more commands
  runner.channel?.ref();
  const ended = new AbortController();
  const message = once(runner, 'message', { signal: ended.signal });
  const exit = once(runner, 'exit', { signal: ended.signal });
  runner.send(args);
  try {
    const [answer] = await Promise.race([message, exit]);
    if (typeof answer !== 'object' || answer === null) throw new Error(`cairn ${args[0]} ended its process`);
    const { failed, printed, told } = answer as CommandOutcome;
    if (failed) throw new Error(`cairn ${args.join(' ')} failed: ${told}`);
    return printed.trim();
  } finally {
    ended.abort();
    runner?.channel?.unref();
    for (const other of [message, exit]) other.catch(() => {});
  }
}

function start(): ChildProcess {
  const env = { ...process.env, DATA_DIR: dataFolder, PORT: String(port), NODE_COMPILE_CACHE: compileCache };
  const child = fork(join(import.meta.dirname, 'cairn-process.ts'), { env, execArgv: [] });
  child.once('exit', () => {
    runner = null;
  });
  child.unref();
  child.channel?.unref();
  return child;
}
