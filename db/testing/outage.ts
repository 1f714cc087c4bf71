import { readdirSync, readFileSync } from 'node:fs';
import type { EmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts';

/** The processes of a server, its main process first. */
function processesOf({ pid }: EmbeddedPostgres): number[] {
  const parentOf = (one: string): number => {
    try {
      // the name may contain spaces and parentheses: the fields begin after the last one
      return Number(readFileSync(`/proc/${one}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1]);
    } catch {
      return 0; // it ended
    }
  };
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return [pid, ...children.map(Number)];
}

/** Sends `signal` to every process of the server. */
function signalAll(server: EmbeddedPostgres, signal: NodeJS.Signals): void {
  for (const pid of processesOf(server)) {
    try {
      process.kill(pid, signal);
    } catch {
      // it ended
    }
  }
}

/** Suspends the server with all its processes: it accepts connections and answers nothing, until `resume`. */
export const suspend = (server: EmbeddedPostgres): void => signalAll(server, 'SIGSTOP');
export const resume = (server: EmbeddedPostgres): void => signalAll(server, 'SIGCONT');

/** Kills the server with all its processes, as a crash of the machine does. */
export async function kill(server: EmbeddedPostgres): Promise<void> {
  signalAll(server, 'SIGKILL');
  await server.ended;
}
