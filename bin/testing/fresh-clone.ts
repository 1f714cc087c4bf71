import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, root } from '../install.mjs';

/**
 * Clones this checkout, and gives the clone what its first start would make of the same sources: the packages and the
 * build of this checkout. The start itself decides whether they are good: otherwise it installs and builds.
 *
 * Installing is tested by `install.slow.test.ts`, and by every run on a fresh clone, which begins with it.
 */
export function cloneWithParts(to: string): void {
  // regardless of the owner of the checkout: the clone is ours
  execFileSync('git', ['-c', 'safe.directory=*', 'clone', '--quiet', root, to]);
  const lock = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (installed(false) && lock(to) === lock(root)) linkPackages(to);
  if (existsSync(join(root, 'dist/.cairn-build')))
    execFileSync('cp', ['--recursive', '--preserve', join(root, 'dist'), to]);
}

/** As hard links, since nothing changes a file of a package in place; on another disk the start installs them. */
function linkPackages(to: string): void {
  const copy = ['--recursive', '--preserve', '--link', join(root, 'node_modules'), to];
  try {
    execFileSync('cp', copy, { stdio: 'ignore' });
  } catch {
    execFileSync('rm', ['-rf', join(to, 'node_modules')]);
  }
}
