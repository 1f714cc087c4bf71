import { existsSync } from 'node:fs';
import { run } from './run.ts';

const known = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const found = (): string | undefined => known.find((path) => existsSync(path));

/**
 * A browser for the tests: the system's, else one installed by the system's package manager where possible, else the
 * one that Playwright downloads. Gives the path, or null for Playwright's own.
 */
export async function chromium(): Promise<string | null> {
  const here = process.env.CHROMIUM ?? found();
  if (here) return here;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium with apt-get.');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env, quiet: true });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      env,
      quiet: true,
    });
    const brought = found();
    if (brought) return brought;
  }
  console.log("Installing Playwright's own Chromium.");
  await run('playwright', ['install', 'chromium-headless-shell'], { quiet: false });
  return null;
}
