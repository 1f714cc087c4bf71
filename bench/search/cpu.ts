import { readdirSync, readFileSync } from 'node:fs';

const ticks = 100; // per second, on every Linux that we support

/** Fields of /proc/PID/stat after the name, which may contain spaces: state is the first. */
function statOf(pid: number | string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return []; // exited meanwhile
  }
}

/** CPU seconds used so far by this process and these processes. */
export function cpuSeconds(pids: readonly number[]): number {
  const { user, system } = process.cpuUsage();
  const others = pids.map((pid) => {
    const stat = statOf(pid);
    return (Number(stat[11] ?? 0) + Number(stat[12] ?? 0)) / ticks;
  });
  return (user + system) / 1e6 + others.reduce((sum, one) => sum + one, 0);
}

/** Running child processes of `parent`. */
export const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(statOf(name)[1]) === parent)
    .map(Number);

/** Seconds since boot. */
export const uptime = (): number => Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);

/** Start time of a process, in seconds since boot. */
export const startOf = (pid: number): number => Number(statOf(pid)[19]) / ticks;
