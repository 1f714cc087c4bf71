import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from './install.mjs';
import { runTask } from './task.ts';

mkdirSync(join(root, '.tmp'), { recursive: true });
const folder = mkdtempSync(join(root, '.tmp/task-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a task with the body `body`. */
function task(name: string, body: string, stop = new AbortController().signal): Promise<unknown> {
  const script = join(folder, `${name}.ts`);
  const from = (file: string) => JSON.stringify(join(root, 'bin', file));
  writeFileSync(
    script,
    `import { reportTask } from ${from('task.ts')}; import { UserError } from ${from('user-error.ts')};
     export const refusal = (line: string) => new UserError(line); await reportTask(async () => { ${body} });`,
  );
  return runTask(relative(root, script), stop);
}

describe('a task', () => {
  it('gives its result', async () => {
    expect(await task('gives', 'return { on: true, names: ["a"] };')).toEqual({ on: true, names: ['a'] });
  });

  it('passes on a message for the operator', async () => {
    await expect(task('refuses', 'throw refusal("Choose another port.");')).rejects.toThrow(
      'Choose another port.',
    );
  });

  it('that ends without a result has failed', async () => {
    await expect(task('ends', 'process.exit(0);')).rejects.toThrow(/ends\.ts failed/);
  });

  it('ends when its start is stopped', async () => {
    const stop = new AbortController();
    const ends = expect(
      task('waits', 'setInterval(() => {}, 1_000); await new Promise(() => {});', stop.signal),
    );
    const rejected = ends.rejects.toMatchObject({ name: 'AbortError' });
    stop.abort();
    await rejected;
  });
});
