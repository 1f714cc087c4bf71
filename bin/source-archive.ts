import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { checkedOut } from '#site/api/commit.ts';

const exec = promisify(execFile);
/**
 * What this repository has at its root: without a checkout only this is packed, since an operator may keep a dump or a
 * file of passwords beside it. A test compares it with what is tracked.
 */
export const tracked_at_root = [
  '.ci',
  '.dockerignore',
  '.gitignore',
  '.npmrc',
  'Dockerfile',
  'LICENSE',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'README.md',
  'agents',
  'bench',
  'bin',
  'content',
  'control-plane',
  'db',
  'docs',
  'e2e',
  'patches',
  'site',
  'astro-i18next.config.cjs',
  'astro.config.mjs',
  'biome.json',
  'knip.jsonc',
  'playwright.config.ts',
  'docker-compose.disk.yml',
  'docker-compose.yml',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
  'tsconfig.types.json',
  'vitest.config.ts',
  'asvs.test.ts',
  'boundaries.test.ts',
  'dangerous-calls.test.ts',
  'decisions.test.ts',
  'island-messages.test.ts',
  'only-client.test.ts',
  'routes.db.test.ts',
  'schema.db.test.ts',
  'shape.test.ts',
  'sources.test.ts',
];
/** What is below it and belongs to its operator, or was made. */
const untracked = ['.env*', '*.log', 'bench/results'];

/**
 * Packs the sources in `root` as the archive `to` (gzipped tar), which the site offers at `/source`: the tracked files of the
 * commit that is checked out; without a checkout what a checkout would have.
 */
export async function packSources(root: string, to: string): Promise<void> {
  mkdirSync(dirname(to), { recursive: true });
  const commit = checkedOut(root);
  if (commit)
    await exec('git', ['-C', root, 'archive', '--format=tgz', '--prefix=cairn/', `--output=${to}`, commit]);
  else
    await exec('tar', [
      ...['--create', '--gzip', `--file=${to}`, `--directory=${root}`, '--transform=s,^,cairn/,'],
      ...untracked.map((pattern) => `--exclude=${pattern}`),
      ...tracked_at_root.filter((name) => existsSync(join(root, name))),
    ]);
}
