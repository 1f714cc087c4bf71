import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { connect, type Pool } from '../../sql.ts';
import { buildBase, buildWarm } from './build-tasks.ts';
import type { BuildResult, Task } from './builder-protocol.ts';

/**
 * A builder: a process that gets one task over its channel, does it at low priority, tells how it ended and is gone, its
 * garbage with it. Without a parent, or with the parent's word, it ends at once; whoever comes next tidies up.
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

/** A priority is a thread's own where threads have numbers, and those that collect garbage work as hard as the first. */
function threadIds(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [process.pid];
  }
}

/**
 * Lets all threads of a process run only on time that nobody else wants. A low priority alone still finishes its turn
 * first: beside a rebuild the slowest hundredth of searches took 95 ms with it and 25 ms so, 15 ms on a quiet machine.
 */
function onlyWhenIdle(pid: number): void {
  try {
    execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)], { stdio: 'ignore' });
  } catch {
    // not Linux, no util-linux, or a process of somebody else's: the low priority must do
  }
}

/** Lowers the priority of this builder's server process too, which on this machine works as hard as the builder. */
async function yieldBehind(sql: Pool, nice: number): Promise<void> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  try {
    if (row) setPriority(row.pid, nice);
    if (row && nice > 0) onlyWhenIdle(row.pid);
  } catch {
    // a server of somebody else's keeps the priority it has
  }
}
