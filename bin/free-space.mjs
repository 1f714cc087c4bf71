// Plain JS: it runs before anything is installed.
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { root } from './install.mjs';

const gb = 1024 ** 3;

/**
 * What a test run needs: packages, a build, the databases and game servers of its tests. Measured, with a third added.
 * @type {ReadonlyArray<{ what: string, path: () => string, bytes: number }>}
 */
const needs = [
  { what: 'the checkout', path: () => root, bytes: 4 * gb },
  { what: 'temporary files', path: tmpdir, bytes: 4 * gb },
];

/**
 * Why a test run would fill a disk, in one line, or null. Folders on one disk share its space.
 * @param {(path: string) => { bavail: number, bsize: number, type: number, blocks: number }} disk
 * @returns {string | null}
 */
export function missingSpace(disk = statfsSync) {
  /** @type {Map<string, { free: number, needed: number, paths: string[] }>} */
  const disks = new Map();
  for (const { what, path, bytes } of needs) {
    const { bavail, bsize, type, blocks } = disk(path());
    const key = `${type} ${blocks} ${bavail}`;
    const known = disks.get(key) ?? { free: bavail * bsize, needed: 0, paths: [] };
    known.needed += bytes;
    known.paths.push(`${what} (${path()})`);
    disks.set(key, known);
  }
  for (const { free, needed, paths } of disks.values())
    if (free < needed)
      return `Not enough disk space for the tests: ${paths.join(' and ')} ${paths.length > 1 ? 'have' : 'has'} ${(free / gb).toFixed(1)} GB free, ${(needed / gb).toFixed(1)} GB are needed. Free some, then run them again.`;
  return null;
}
