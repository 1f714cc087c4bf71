import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ScanResult } from './scan-file.ts';
import type { ScanReport, ScanTask } from './scan-task.ts';

/** Why a file could not be scanned. `missing`: it is gone from the storage. */
export type ScanProblem = 'timeout' | 'crashed' | 'error' | 'missing';

/** A scan that did not end with a result: it says nothing about the file. */
export class ScanFailed extends Error {
  readonly problem: ScanProblem;

  constructor(problem: ScanProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

export interface Scanner {
  /** Scans a stored file; waits for the scans before it. Throws `ScanFailed`. */
  scan(task: ScanTask): Promise<ScanResult>;
  close(): Promise<void>;
}

/** Limits of the scanner's process. */
export interface ScannerLimits {
  timeout_ms: number;
  /** Of its heap; what it unpacks comes to that, one archive in memory for each level of depth. */
  heap_mb: number;
  /** A process that uses more after a scan is replaced. */
  memory_bytes: number;
  idle_ms: number;
}
const usual: ScannerLimits = {
  timeout_ms: 120_000,
  heap_mb: 160,
  memory_bytes: 300 * 1024 * 1024,
  idle_ms: 60_000,
};
const script = fileURLToPath(new URL('./scan-process.ts', import.meta.url));

/**
 * A scanner in a process of its own, which starts with the first scan and ends after a minute without one. A file that
 * makes it hang or crash costs that process only.
 */
export function openScanner(given: Partial<ScannerLimits & { script: string }> = {}): Scanner {
  const limits = { ...usual, script, ...given };
  let child: ChildProcess | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  const end = () => {
    clearTimeout(idle);
    child?.kill('SIGKILL');
    child = null;
  };
  const started = (): ChildProcess => {
    if (child) return child;
    const execArgv = [`--max-old-space-size=${limits.heap_mb}`, '--max-semi-space-size=4'];
    // no setting of this process is for that one: it gets what it needs with its task
    const created = fork(limits.script, { execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: {} });
    created.once('exit', () => {
      if (child === created) child = null;
    });
    child = created;
    return created;
  };

  async function one(task: ScanTask): Promise<ScanResult> {
    if (closed) throw new ScanFailed('crashed', 'The scanner is closed.');
    clearTimeout(idle);
    const { settings, ...rest } = task;
    // the process gets no other setting
    const bare = { ...rest, settings: { DATA_DIR: settings.DATA_DIR } };
    const report = await reportOf(started(), bare, limits.timeout_ms).catch((error) => {
      end();
      throw error;
    });
    if ('failed' in report) throw new ScanFailed(report.failed, report.message);
    if (report.memory_bytes > limits.memory_bytes) end();
    else idle = setTimeout(end, limits.idle_ms).unref();
    return report.result;
  }

  return {
    scan(task) {
      const scanned = last.then(() => one(task));
      last = scanned.catch(() => {});
      return scanned;
    },
    async close() {
      closed = true;
      end();
      await last;
    },
  };
}

/** Sends a task and waits for the report, the end of the process or the time limit. */
function reportOf(child: ChildProcess, task: ScanTask, timeout_ms: number): Promise<ScanReport> {
  return new Promise((resolve, reject) => {
    const settle = (work: () => void) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      work();
    };
    const fail = (problem: ScanProblem, message: string) =>
      settle(() => reject(new ScanFailed(problem, message)));
    const onMessage = (report: ScanReport) => settle(() => resolve(report));
    const onExit = (code: number | null, signal: string | null) =>
      fail('crashed', `It ended with ${signal ?? code}.`);
    const onError = (error: Error) => fail('crashed', error.message);
    const timer = setTimeout(() => fail('timeout', `It took longer than ${timeout_ms} ms.`), timeout_ms);
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    child.send(task, (error) => error && onError(error));
  });
}
