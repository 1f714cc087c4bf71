import { setPriority } from 'node:os';
import { connect } from '../../sql.ts';
import type { Ended, Task } from './builder.ts';
import { buildBase, buildWarm } from './builder-tasks.ts';

/**
 * A builder: a process that gets one task over its channel, does it at low priority, tells how it ended and is gone, its
 * garbage with it. Without a parent, or with the parent's word, it ends at once; whoever comes next tidies up.
 */
process.on('disconnect', () => process.exit(1));
process.once('message', (task: Task) => {
  setPriority(task.nice);
  void run(task).then((ended) => process.send?.(ended, undefined, {}, () => process.exit(0)));
});

async function run(task: Task): Promise<Ended> {
  const sql = connect({ ...task.connect, max: 1, application: 'cairn search builder' });
  try {
    return task.kind === 'base' ? await buildBase(sql, task) : await buildWarm(sql, task);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const full = code === 'ENOSPC' || code === 'EDQUOT';
    return { failed: message || code || 'for an unknown reason', full };
  } finally {
    await sql.end({ timeout: 1 }).catch(() => {});
  }
}
