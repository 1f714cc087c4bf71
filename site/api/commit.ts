import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where the build leaves the commit for installations without a checkout, such as images. */
const built = 'dist/.cairn-commit';

const textOf = (...path: string[]): string | null => {
  try {
    return readFileSync(join(...path), 'utf8').trim();
  } catch {
    return null; // no checkout, no build, or not that kind of reference
  }
};
const isCommit = (text: string | null | undefined): text is string => /^[0-9a-f]{40,64}$/.test(text ?? '');

/**
 * The commit of the code in `root`: of the checkout (also of a linked worktree), else the one that the build left, else
 * `unknown`. Read from git's files, since git itself need not be installed. Source: api-v2 §1.1.
 */
export function commitOf(root: string): string {
  const commit = checkedOut(root) ?? textOf(root, built);
  return isCommit(commit) ? commit : 'unknown';
}

/** The commit of the checkout in `root`, null without one. */
export function checkedOut(root: string): string | null {
  const link = textOf(root, '.git')?.match(/^gitdir: (.+)$/)?.[1];
  const folder = link ? resolve(root, link) : join(root, '.git');
  const head = textOf(folder, 'HEAD');
  const name = head?.match(/^ref: (.+)$/)?.[1];
  if (!name) return isCommit(head) ? head : null;
  const common = resolve(folder, textOf(folder, 'commondir') ?? '.');
  const packed = textOf(common, 'packed-refs')?.split('\n') ?? [];
  const line = packed.find((one) => one.endsWith(` ${name}`));
  const found = textOf(folder, name) ?? textOf(common, name) ?? line?.split(' ')[0];
  return isCommit(found) ? found : null;
}
