import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './install.mjs';

const lines = (file: string): string[] => readFileSync(join(root, file), 'utf8').split('\n');
const tracked = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files'], { cwd: root, encoding: 'utf8' });
/** The sources that the Dockerfile copies. */
const copied = lines('Dockerfile')
  .filter((line) => line.startsWith('COPY '))
  .flatMap((line) => line.split(/\s+/).slice(1, -1));

it('copies files and folders of the repository by name, never the whole directory', () => {
  expect(copied.length).toBeGreaterThan(5);
  for (const source of copied) {
    expect(source).toMatch(/^\.?[\w-]+[\w./-]*$/);
    const known = tracked.split('\n').some((path) => path === source || path.startsWith(`${source}/`));
    expect(known, source).toBe(true);
  }
});

it.each(['.env', '.env.production', 'site/.env'])('keeps %s out of the repository and the image', (path) => {
  const git = spawnSync('git', ['-c', 'safe.directory=*', 'check-ignore', '--no-index', '-q', path], {
    cwd: root,
  });
  expect(git.status).toBe(0);
  expect(lines('.dockerignore')).toContain('**/.env*');
});
