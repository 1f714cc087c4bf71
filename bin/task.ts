import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './install.mjs';
import { UserError } from './user-error.ts';

/** What a task reports to its parent process: its result, or one line for the operator. */
type Report = { result: unknown } | { refusal: string };

/**
 * Runs one of our scripts to its end in a separate process and gives its result. For one-time work that needs much code
 * or memory: modules that the supervisor loads stay in memory as long as the product runs. Throws the script's
 * `UserError`.
 */
export async function runTask<T>(script: string, stop: AbortSignal): Promise<T> {
  const child = spawn(process.execPath, [join(root, script)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    signal: stop, // SIGTERM
  });
  const report = await new Promise<Report>((done, fail) => {
    child.on('message', (message) => done(message as Report));
    // emitted after all messages
    child.once('disconnect', () => done({ refusal: `${script} failed: its output is above.` }));
    child.once('error', fail);
  });
  if ('refusal' in report) throw new UserError(report.refusal);
  return report.result as T;
}

/** How long work may take to end after it was stopped, in milliseconds. */
const stop_ms = 500;

/**
 * The child's side: runs `work`, reports its result and ends this process. When the start is stopped or its process
 * dies, `work` is stopped, and the process ends soon in any case.
 */
export async function reportTask(work: (stop: AbortSignal) => Promise<unknown>): Promise<void> {
  const stop = new AbortController();
  const end = () => {
    stop.abort();
    setTimeout(() => process.exit(1), stop_ms);
  };
  process.once('SIGTERM', end);
  process.once('disconnect', end);
  let report: Report | null = null;
  try {
    report = { result: (await work(stop.signal)) ?? null };
  } catch (error) {
    if (error instanceof UserError) report = { refusal: error.message };
    else if (!stop.signal.aborted) console.error(error);
  }
  if (report && process.connected) process.send?.(report, undefined, undefined, () => process.exit());
  else process.exit(1);
}
