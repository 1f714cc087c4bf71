import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commitOf } from './commit.ts';

const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cairn-commit-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (files: Record<string, string>) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
};

test.each<[string, Record<string, string>, string]>([
  ['nothing', {}, 'unknown'],
  ['a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${first}\n` }, first],
  [
    'a packed branch',
    { '.git/HEAD': 'ref: refs/heads/main', '.git/packed-refs': `# pack\n${first} refs/heads/main\n` },
    first,
  ],
  ['no branch', { '.git/HEAD': first }, first],
  [
    'a linked worktree',
    {
      '.git': 'gitdir: elsewhere/worktrees/x\n',
      'elsewhere/worktrees/x/HEAD': 'ref: refs/heads/x',
      'elsewhere/worktrees/x/commondir': '../..',
      'elsewhere/refs/heads/x': first,
    },
    first,
  ],
  ['only a build', { 'dist/.cairn-commit': `${second}\n` }, second],
  ['a checkout and an older build', { '.git/HEAD': first, 'dist/.cairn-commit': second }, first],
  ['a branch without commits', { '.git/HEAD': 'ref: refs/heads/main' }, 'unknown'],
  ['nonsense', { '.git/HEAD': '<html>', 'dist/.cairn-commit': 'x' }, 'unknown'],
])('%s', (_what, files, expected) => {
  put(files);
  expect(commitOf(root)).toBe(expected);
});
