import { type ChildProcess, spawn } from 'node:child_process';

export interface Plan {
  name: string;
  /** Script and its arguments, run by this Node. */
  args: string[];
  env: Record<string, string | undefined>;
  /** Told at every start: the number of the new process. */
  started(pid: number): void;
  /** Told once when it crashed too often to be started again. */
  gaveUp(): void;
}

export interface Child {
  /** Ends it and starts it anew, for development. */
  restart(): void;
  /** Asks it to end; what still lives after `limit_ms` is killed with everything it started. */
  stop(limit_ms: number): Promise<void>;
}

const tries = 5;
const calm_ms = 60_000;

/**
 * Keeps one process running: its own process group (Ctrl-C in a terminal reaches only us), a channel whose end tells
 * it that we died, and a new start after each crash, later every time. Gives up after five crashes within a minute each.
 */
export function keep({ name, args, env, started, gaveUp }: Plan): Child {
  let child: ChildProcess | undefined;
  let crashes = 0;
  let stopping = false;
  let wanted = false;
  let timer: NodeJS.Timeout | undefined;

  const start = () => {
    const born = Date.now();
    const one = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = one;
    if (one.pid) started(one.pid);
    one.on('error', () => {}); // a channel that closes early; `exit` tells the rest
    one.once('exit', (code, signal) => {
      killGroup(one);
      if (stopping) return;
      if (wanted) {
        wanted = false;
        start();
        return;
      }
      crashes = Date.now() - born > calm_ms ? 1 : crashes + 1;
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
      if (crashes >= tries) {
        console.error(`The ${name} ${how} for the ${crashes}th time: giving up. Its last words stand above.`);
        gaveUp();
        return;
      }
      const pause_ms = 125 * 2 ** crashes;
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
        wanted = true;
        child?.kill('SIGTERM');
      }
    },
    async stop(limit_ms) {
      stopping = true;
      clearTimeout(timer);
      if (!child || !isRunning(child)) return;
      const one = child;
      const gone = new Promise<void>((done) => one.once('exit', () => done()));
      one.kill('SIGTERM');
      const hard = setTimeout(() => killGroup(one), limit_ms);
      await gone;
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
    // nobody is left in it
  }
}
