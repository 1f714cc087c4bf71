import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './install.mjs';
import { UserError } from './user-error.ts';

/** What a task reports to the process that started it: its result, or one line for the operator. */
type Report = { result: unknown } | { refusal: string };

/**
 * Runs a script of ours to its end in a process of its own and gives its result. For work that needs much code or memory
 * once: what the supervisor loads stays with it as long as the product runs. Refuses with the `UserError` of the script.
 */
export async function runTask<T>(script: string, stop: AbortSignal): Promise<T> {
  const child = spawn(process.execPath, [join(root, script)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    signal: stop, // SIGTERM
  });
  const report = await new Promise<Report>((done, fail) => {
    child.on('message', (message) => done(message as Report));
    // comes after every message
    child.once('disconnect', () => done({ refusal: `${script} failed: its output is above.` }));
    child.once('error', fail);
  });
  if ('refusal' in report) throw new UserError(report.refusal);
  return report.result as T;
}

/** How long work may take to notice that it is stopped. */
const stop_ms = 500;

/**
 * The other side: does `work`, reports what it gives and ends this process. When the start is stopped or its process
 * died, `work` is stopped, and the process ends soon in any case.
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
