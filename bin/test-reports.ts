import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

/** Makes the folder for the reports of this run; those of runs that have ended are removed. */
export function openReports(parent = join(root, '.tmp/reports')): string {
  const own = join(parent, String(process.pid));
  mkdirSync(own, { recursive: true });
  for (const pid of readdirSync(parent).filter((name) => !existsSync(`/proc/${name}`)))
    rmSync(join(parent, pid), { recursive: true });
  return own;
}
