import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const programs = join(import.meta.dirname, 'tar/');
const pause_ms = 10;
const max_tries = 500;

/**
 * Ends the programs that a killed agent of the folder `data` left packing and unpacking. They would end by themselves, but a moment
 * later: until then they write where the next agent brings things in order. Gives how many there were.
 */
export function endOrphans(data: string): number {
  const groups = orphanGroups(data);
  for (let tries = 0; tries < max_tries && orphanGroups(data).length > 0; tries++) {
    for (const group of orphanGroups(data)) kill(group);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause_ms);
  }
  return new Set(groups).size;
}

/** The process group of each program that works in `data`; a zombie has no arguments any more. */
function orphanGroups(data: string): number[] {
  return entriesOf('/proc').flatMap((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      // also of the shell that has not started them yet
      const names = (path: string) => words.some((word) => word.includes(path));
      if (!names(programs) || !names(`${data}/`)) return [];
      // its name, in parentheses, may contain anything
      const [, , group] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      return [Number(group)];
    } catch {
      // it ended meanwhile
      return [];
    }
  });
}

const entriesOf = (folder: string): string[] => readdirSync(folder).filter((name) => /^\d+$/.test(name));

function kill(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // it ended meanwhile
  }
}
