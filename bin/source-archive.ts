import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { checkedOut } from '#site/api/commit.ts';

const exec = promisify(execFile);
/** What is beside the sources where there is no checkout, as in an image. */
const others = ['node_modules', 'dist', '.data', '.tmp', '.env*', 'bench/results', 'test-results'];

/**
 * Packs the sources in `root` as the archive `to` (gzipped tar), which the site offers at `/source`: the tracked files of the
 * commit that is checked out; without a checkout everything that is there but data, secrets and what was made of them.
 */
export async function packSources(root: string, to: string): Promise<void> {
  mkdirSync(dirname(to), { recursive: true });
  const commit = checkedOut(root);
  if (commit)
    await exec('git', ['-C', root, 'archive', '--format=tgz', '--prefix=cairn/', `--output=${to}`, commit]);
  else
    await exec('tar', [
      ...['--create', '--gzip', `--file=${to}`, `--directory=${root}`],
      ...others.map((pattern) => `--exclude=./${pattern}`),
      ...['--transform=s,^\\.,cairn,', '.'],
    ]);
}
