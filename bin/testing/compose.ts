import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { run } from '../run.ts';

/** The compose program of this machine with its first arguments; as root on Debian it is installed if missing. */
export async function compose(): Promise<[program: string, ...words: string[]]> {
  const found = (): [string, ...string[]] | undefined =>
    ([['docker', 'compose'], ['docker-compose']] as [string, ...string[]][]).find(
      ([program, ...words]) => spawnSync(program, [...words, 'version']).status === 0,
    );
  const here = found();
  if (here) return here;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, quiet: true };
    await run('apt-get', ['update', '-qq'], options);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'docker-compose'], options);
    const brought = found();
    if (brought) return brought;
  }
  throw new Error(
    'There is no compose program. Install one (Debian, as root: apt-get install -y docker-compose).',
  );
}
