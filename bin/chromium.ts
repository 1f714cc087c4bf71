import { existsSync } from 'node:fs';
import { run } from './run.ts';

/** Without windows, the shell needs two thirds of the processor time of the whole browser; it renders the same. */
const shell = '/usr/bin/chromium-headless-shell';
const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of this machine's browser for tests, if it has one. */
export const installed = (): string | undefined => [shell, ...browsers].find((path) => existsSync(path));

/**
 * A browser for the tests: the system's, with Chromium's shell installed where its package manager has it, else the one
 * that Playwright downloads. Gives the path, or null for Playwright's own.
 */
export async function chromium(): Promise<string | null> {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  if (existsSync(shell)) return shell;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing the shell of Chromium with apt-get.');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env, quiet: true });
    const install = (name: string) =>
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env, quiet: true });
    await install('chromium-headless-shell');
    if (!installed()) await install('chromium');
  }
  const here = installed();
  if (here) return here;
  console.log("Installing Playwright's own Chromium.");
  await run('playwright', ['install', 'chromium-headless-shell'], { quiet: false });
  return null;
}
