import { expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { zipName } from './pack.ts';

it.each([
  ['world/level.dat', 'world/level.dat'],
  ['a\\b.txt', 'a_b.txt'],
  ['C:\\x', 'C__x'],
  ['c:/x', 'c_/x'],
  ['notes 12:30.txt', 'notes 12:30.txt'],
])('%s is %s in a zip, which takes it', (path, name) => {
  expect(zipName(path)).toBe(name);
  expect(() => new ZipFile().addEmptyDirectory(name)).not.toThrow();
});
