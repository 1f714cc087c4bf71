import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { filesOfCairn } from './world-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-world-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('finds each file that Cairn left in the folder of a server, and takes no empty folder for one', () => {
  expect(filesOfCairn(folder)).toEqual([]);
  for (const name of ['uploads', 'restoring/world'])
    mkdirSync(join(folder, '.cairn', name), { recursive: true });
  writeFileSync(join(folder, 'level.dat'), 'of the world');
  expect(filesOfCairn(folder)).toEqual([]);
  writeFileSync(join(folder, '.cairn/restoring/world/level.dat'), 'half');
  expect(filesOfCairn(folder)).toEqual(['restoring/world/level.dat']);
});
