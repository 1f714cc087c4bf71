import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './install.mjs';
import { run } from './run.ts';

/** The output of knip with the project's settings for a small project of these files. */
async function knip(files: Record<string, string>): Promise<{ code: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-unused-'));
  try {
    const all = { 'package.json': '{ "name": "sample", "private": true, "type": "module" }', ...files };
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    copyFileSync(join(root, 'knip.jsonc'), join(folder, 'knip.jsonc'));
    return await run('knip', ['--no-progress', '--directory', folder], { quiet: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const start = { 'bin/start.mjs': "import { used } from '../db/names.ts';\nused();\n" };

it('accepts a project in which everything is used', async () => {
  expect(await knip({ ...start, 'db/names.ts': 'export const used = () => {};\n' })).toMatchObject({
    code: 0,
  });
});

it('refuses an unused export, type and file, and an unlisted package', async () => {
  const { code, output } = await knip({
    ...start,
    'db/names.ts':
      "import 'left-pad';\nexport const used = () => {};\nexport const unused = 1;\nexport type Unused = 'a';\n",
    'db/forgotten.ts': 'export {};\n',
  });
  expect(code).toBe(1);
  for (const name of ['unused', 'Unused', 'db/forgotten.ts', 'left-pad']) expect(output).toContain(name);
});
