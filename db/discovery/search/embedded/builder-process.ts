import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { connect, type Pool } from '../../../platform/postgres/sql.ts';
import { buildBase, buildWarm } from './build-tasks.ts';
import type { BuildResult, Task } from './builder-protocol.ts';

/**
 * A builder process: receives one task over its channel, runs it at low priority, reports the result and exits, which
 * frees its memory. It exits at once when its parent dies or says so; the next builder cleans up.
 */
process.on('disconnect', () => process.exit(1));
process.once('message', (task: Task) => {
  for (const thread of threadIds()) setPriority(thread, task.nice);
  if (task.nice > 0) onlyWhenIdle(process.pid);
  void run(task).then((ended) => process.send?.(ended, undefined, {}, () => process.exit(0)));
});

async function run(task: Task): Promise<BuildResult> {
  const sql = connect({ ...task.connect, max: 1, application: 'cairn search builder' });
  try {
    if (task.connect.address.startsWith('/')) await yieldBehind(sql, task.nice);
    return task.kind === 'base' ? await buildBase(sql, task) : await buildWarm(sql, task);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const full = code === 'ENOSPC' || code === 'EDQUOT';
    return { failed: message || code || 'for an unknown reason', full };
  } finally {
    await sql.end({ timeout: 1 }).catch(() => {});
  }
}

/** On Linux each thread has its own priority, and garbage collection threads use as much CPU as the main thread. */
function threadIds(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [process.pid];
  }
}

/**
 * Sets the scheduling policy of all threads to SCHED_IDLE. A low priority alone still finishes its time slice: p99 of
 * searches during a rebuild was 95 ms with it and is 25 ms with SCHED_IDLE, 15 ms on a quiet machine.
 */
function onlyWhenIdle(pid: number): void {
  try {
    execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)], { stdio: 'ignore' });
  } catch {
    // not Linux, no util-linux, or a process of another user: the low priority must suffice
  }
}

/** Also lowers the priority of this builder's Postgres backend, which uses as much CPU as the builder. */
async function yieldBehind(sql: Pool, nice: number): Promise<void> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  try {
    if (row) setPriority(row.pid, nice);
    if (row && nice > 0) onlyWhenIdle(row.pid);
  } catch {
    // the backend of an external server keeps its priority
  }
}
