import { spawnSync } from 'node:child_process';
import { canInstallPackages, installPackages } from '../install-packages.ts';

/** The compose program of this machine with its first arguments; as root on Debian it is installed if missing. */
export async function compose(): Promise<[program: string, ...words: string[]]> {
  const found = (): [string, ...string[]] | undefined =>
    ([['docker', 'compose'], ['docker-compose']] as [string, ...string[]][]).find(
      ([program, ...words]) => spawnSync(program, [...words, 'version']).status === 0,
    );
  const here = found();
  if (here) return here;
  const failure = canInstallPackages() ? await installPackages(['docker-compose']) : null;
  const brought = found();
  if (brought) return brought;
  throw new Error(
    `${failure ?? 'There is no compose program.'} Install one (Debian, as root: apt-get install -y docker-compose).`,
  );
}
