import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packSources, tracked_at_root } from './source-archive.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-sources-'));
  const files = {
    'site/server.ts': '1',
    '.env': 'SECRET=1',
    'site/.env.production': 'SECRET=2',
    'dump.sql': 'passwords',
    'dist/built.js': '2',
    'node_modules/a/b.js': '3',
  };
  for (const [path, text] of Object.entries({
    ...files,
    '.gitignore': '.env*\ndump.sql\ndist\nnode_modules\n',
  })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

const packed = async (): Promise<string[]> => {
  const archive = join(folder, 'dist/client/source.tgz');
  await packSources(folder, archive);
  const names = execFileSync('tar', ['--list', '--gzip', `--file=${archive}`], { encoding: 'utf8' });
  return names.split('\n').filter((name) => /[^/]$/.test(name));
};

test('without a checkout nothing is packed that a checkout would not have', async () => {
  expect((await packed()).sort()).toEqual(['cairn/.gitignore', 'cairn/site/server.ts']);
});

test('of a checkout the files of the commit are packed, without what is not tracked', async () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args]);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message=First');
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  expect((await packed()).sort()).toEqual(['cairn/.gitignore', 'cairn/site/server.ts']);
});

test('what is packed without a checkout is all that is tracked', () => {
  const root = join(import.meta.dirname, '..');
  const tracked = execFileSync('git', ['-C', root, 'ls-files'], { encoding: 'utf8' }).trim().split('\n');
  expect([...tracked_at_root].sort()).toEqual([...new Set(tracked.map((path) => path.split('/')[0]))].sort());
});
