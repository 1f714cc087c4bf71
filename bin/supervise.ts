import { type ChildProcess, spawn } from 'node:child_process';
import { backoffMs } from '#db/platform/runtime/backoff.ts';

export interface Plan {
  name: string;
  /** The script and its arguments, run by this Node. */
  args: string[];
  env: Record<string, string | undefined>;
  /** Called at every start with the new pid. */
  onStarted(pid: number): void;
  /** Whether it stays down after five crashes in a row. In production a required service never does. */
  givesUp(): boolean;
  /** Called when it stays down. */
  onGaveUp(): void;
  /** Milliseconds until the next start after this many crashes in a row; `restartPause` by default. */
  pauseAfter?(crashes: number): number;
}

export interface Child {
  /** Stops and starts it, for development. */
  restart(): void;
  /** Stops it; after `limit_ms` its process group is killed. */
  stop(limit_ms: number): Promise<void>;
}

/** Crashes in a row after which a process may stay down. */
const max_crashes = 5;
/** A process that ran this long counts as recovered: its next crash is the first again. */
const recovered_after_ms = 60_000;
const pause_bounds = { min_ms: 250, max_ms: 30_000 };

/** Milliseconds before the next start after `crashes` in a row: doubles from 250 ms to 30 s. */
export const restartPause = (crashes: number): number => backoffMs(crashes, pause_bounds);

/**
 * Keeps one process running: its own process group (Ctrl-C in a terminal reaches only the supervisor), a channel that
 * closes when the supervisor dies, and a restart with backoff after each crash. After five crashes in a row, each
 * within a minute of its start, it stays down if the plan says so.
 */
export function supervise({
  name,
  args,
  env,
  onStarted,
  givesUp,
  onGaveUp,
  pauseAfter = restartPause,
}: Plan): Child {
  let child: ChildProcess | undefined;
  let crashes = 0;
  let stopping = false;
  let restarting = false;
  let timer: NodeJS.Timeout | undefined;

  const start = () => {
    const started_at = Date.now();
    const one = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = one;
    if (one.pid) onStarted(one.pid);
    one.on('error', () => {}); // a channel that closes early; `exit` gives the details
    one.once('exit', (code, signal) => {
      killGroup(one);
      if (stopping) return;
      if (restarting) {
        restarting = false;
        start();
        return;
      }
      crashes = Date.now() - started_at > recovered_after_ms ? 1 : crashes + 1;
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
      if (crashes >= max_crashes && givesUp()) {
        console.error(`The ${name} ${how} for the ${crashes}th time: giving up. Its last output is above.`);
        onGaveUp();
        return;
      }
      const pause_ms = pauseAfter(crashes);
      console.error(`The ${name} ${how}; starting it again in ${pause_ms} ms.`);
      timer = setTimeout(start, pause_ms);
    });
  };
  start();

  return {
    restart() {
      crashes = 0;
      clearTimeout(timer);
      if (stopping) return;
      if (!isRunning(child)) start();
      else {
        restarting = true;
        child?.kill('SIGTERM');
      }
    },
    async stop(limit_ms) {
      stopping = true;
      clearTimeout(timer);
      if (!child || !isRunning(child)) return;
      const one = child;
      const exited = new Promise<void>((done) => one.once('exit', () => done()));
      one.kill('SIGTERM');
      const hard = setTimeout(() => {
        console.error(`The ${name} did not end within ${limit_ms / 1000} s and is killed.`);
        killGroup(one);
      }, limit_ms);
      await exited;
      clearTimeout(hard);
    },
  };
}

const isRunning = (child: ChildProcess | undefined): boolean =>
  child?.pid !== undefined && child.exitCode === null && child.signalCode === null;

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // the process group is empty
  }
}
