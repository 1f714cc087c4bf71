import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';

/** The processor time of programs that were run and have exited. */
export interface ChildTime {
  cpu_seconds: number;
}

const current = new AsyncLocalStorage<ChildTime>();

/** Runs `work` and gives its answer with the processor time of all programs that it ran to their end. */
export async function withChildTime<T>(work: () => Promise<T>): Promise<ChildTime & { answer: T }> {
  const time: ChildTime = { cpu_seconds: 0 };
  const answer = await current.run(time, work);
  return { ...time, answer };
}

let counted = childrenSeconds();

/**
 * The handler of the exit of a child that is being started: it adds the child's processor time to the work that started it. The
 * system only knows the sum of all children that exited, so each one has to be counted at its exit.
 */
export function childTimer(): () => void {
  const time = current.getStore();
  return () => {
    const now = childrenSeconds();
    if (time) time.cpu_seconds += now - counted;
    counted = now;
  };
}

/** Ticks of the kernel's clock in a second. */
const ticks_per_second = 100;

/** Processor time of all children that have exited, and of theirs, in seconds; 0 where there is no /proc. */
function childrenSeconds(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / ticks_per_second;
  } catch {
    return 0;
  }
}
