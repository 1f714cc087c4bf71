import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Stops the server that a previous run left on this cluster: the pid in its lock file, but only if that process is a
 * Postgres on this folder. Any other lock file is removed, since after a reboot its pid may belong to an unrelated
 * process, which Postgres would take for a running server.
 */
export async function stopLeftover(data: string): Promise<void> {
  const lock = join(data, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, 'utf8').split('\n', 1)[0]);
  const is_own = () => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data);
    } catch {
      return false;
    }
  };
  if (is_own()) process.kill(pid, 'SIGINT');
  for (let waited = 0; is_own() && waited < 8_000; waited += 50) await wait(50);
  if (is_own()) process.kill(pid, 'SIGKILL');
  rmSync(lock, { force: true });
}
