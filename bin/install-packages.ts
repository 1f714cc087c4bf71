import { existsSync } from 'node:fs';
import { run } from './run.ts';

/** Whether this process can install packages of Debian: as root, where there is apt-get. */
export const canInstallPackages = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Another apt-get may be at work on this machine. */
const lock_wait_s = 120;

/** The lists of packages are updated once. */
let updated: Promise<unknown> | undefined;

/**
 * Installs packages of Debian without what they only recommend, unless `recommended`. Gives null, or what apt-get said last
 * when it failed: whether that matters is for the caller, who may find what is needed elsewhere.
 */
export async function installPackages(
  names: readonly string[],
  { recommended = false } = {},
): Promise<string | null> {
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, quiet: true };
  const wait = ['-o', `DPkg::Lock::Timeout=${lock_wait_s}`];
  updated ??= run('apt-get', [...wait, 'update', '-qq'], options);
  await updated;
  const few = recommended ? [] : ['--no-install-recommends'];
  const { code, output } = await run('apt-get', [...wait, 'install', '-y', '-qq', ...few, ...names], options);
  if (code === 0) return null;
  return `apt-get could not install ${names.join(', ')}: ${output.trim().slice(-500)}`;
}
