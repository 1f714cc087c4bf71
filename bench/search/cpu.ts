import { readdirSync, readFileSync } from 'node:fs';

const ticks = 100; // per second, on every Linux we run on

/** Fields of /proc/PID/stat behind the name, which may hold spaces: state is the first. */
function statOf(pid: number | string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return []; // ended meanwhile
  }
}

/** Processor seconds that we and these processes have used so far. */
export function cpuSeconds(pids: readonly number[]): number {
  const { user, system } = process.cpuUsage();
  const others = pids.map((pid) => {
    const stat = statOf(pid);
    return (Number(stat[11] ?? 0) + Number(stat[12] ?? 0)) / ticks;
  });
  return (user + system) / 1e6 + others.reduce((sum, one) => sum + one, 0);
}

/** The processes that `parent` started and that still run. */
export const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(statOf(name)[1]) === parent)
    .map(Number);

/** Seconds since the machine started. */
export const uptime = (): number => Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);

/** When a process was started, in the same seconds. */
export const startOf = (pid: number): number => Number(statOf(pid)[19]) / ticks;
