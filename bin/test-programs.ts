import { isInstalled } from '#agents/backups/programs.ts';
import { canInstallPackages, installPackages } from './install-packages.ts';

/** Programs that tests drive, with their Debian packages. */
const programs = { restic: 'restic', zstd: 'zstd', sftp: 'openssh-client' } as const;

/**
 * Installs the programs that tests drive and that are missing, where that is possible: on Debian, as root. Tests of a program
 * that is still missing are left out, and `say` tells which.
 */
export async function ensureTestPrograms(say: (line: string) => void): Promise<void> {
  const missing = () =>
    Object.entries(programs)
      .filter(([name]) => !isInstalled(name))
      .map(([, packageName]) => packageName);
  if (missing().length === 0) return;
  if (canInstallPackages()) {
    say(`Installing ${missing().join(', ')} with apt-get, because tests use them.`);
    const failure = await installPackages(missing());
    if (failure) say(failure);
  }
  if (missing().length > 0) say(`Not installed here: ${missing().join(', ')}. Their tests are left out.`);
}
