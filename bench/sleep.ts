import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ping } from '#agents/server/status-ping.ts';
import { ensureDocker } from '../bin/docker.ts';
import { proportionalBytes } from '../bin/process-memory.ts';
import { atMost, type Row } from './report.ts';
import { measureWake } from './sleep/wake.ts';

const listeners = 1_000;
const first_port = 21_000;

/**
 * Servers that sleep while nobody plays: how long a player waits who wakes one, compared with a plain start, and the memory
 * of the listeners of 1,000 sleeping servers, each pinged once. Starts a Docker engine if none is running. Adds to `rows`.
 */
export async function measureSleep(rows: Row[]): Promise<void> {
  const [none, all] = [await memoryWith(0), await memoryWith(listeners)];
  rows.push(atMost(`memory of ${listeners} sleeping servers' listeners`, (all - none) / 1e6, 60, 'MB'));
  const engine = await ensureDocker(console.log);
  try {
    rows.push(await measureWake());
  } finally {
    await engine.stop();
  }
}

/** Memory of a process with so many listeners, after a ping of each. */
async function memoryWith(count: number): Promise<number> {
  const child = fork(join(import.meta.dirname, 'sleep/listeners.ts'), [String(count), String(first_port)]);
  try {
    await once(child, 'message');
    for (let n = 0; n < count; n++)
      if (!(await ping('127.0.0.1', first_port + n))) throw new Error(`listener ${n} does not answer`);
    await setTimeout(2_000);
    return proportionalBytes(child.pid!);
  } finally {
    child.kill();
  }
}
