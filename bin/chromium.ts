import { existsSync } from 'node:fs';
import { canInstallPackages, installPackages } from './install-packages.ts';
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
  if (canInstallPackages()) {
    console.log('Installing the shell of Chromium with apt-get.');
    await installPackages(['chromium-headless-shell']);
    const failure = installed() ? null : await installPackages(['chromium']);
    if (failure) console.log(failure);
  }
  const here = installed();
  if (here) return here;
  console.log("Installing Playwright's own Chromium.");
  await run('playwright', ['install', 'chromium-headless-shell'], { quiet: false });
  return null;
}
