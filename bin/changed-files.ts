import { execFileSync } from 'node:child_process';
import { root } from './install.mjs';
import { UserError } from './user-error.ts';

/** The files below the project that differ from the commit `since`, those that git does not know yet included. */
export function changedFiles(since: string): string[] {
  const changed = git('diff', '--name-only', '--no-renames', '-z', since, '--');
  const added = git('ls-files', '--others', '--exclude-standard', '-z');
  return [...new Set([...changed, ...added])].sort();
}

function git(...args: string[]): string[] {
  try {
    const output = execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return output.split('\0').filter((path) => path !== '');
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new UserError(`git could not say what changed: ${stderr?.trim() || (error as Error).message}`);
  }
}
