import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { root } from '../install.mjs';
import { listLines, soakChoice } from './choice.ts';
import { soakParts } from './parts.ts';

it('has each soak test in one part', () => {
  const exclude = (path: string) => path.endsWith('node_modules');
  const files = globSync('*/**/*.soak.test.ts', { cwd: root, exclude });
  expect(soakParts.flatMap((part) => part.files ?? []).sort()).toEqual(files.sort());
});

it('runs the named parts in their order, by a seed, with a number of operations and a bound', () => {
  const args = ['sleep', 'fuzz', '--seed', '7', '--operations', '12', '--minutes', '30'];
  const chosen = soakChoice(args);
  expect(chosen?.parts.map(({ name }) => name)).toEqual(['fuzz', 'sleep']);
  expect(chosen).toMatchObject({ seed: 7, operations: 12, minutes: 30 });
});

it('runs every part without a name, by a seed of its own', () => {
  const chosen = soakChoice([]);
  expect(chosen?.parts).toEqual(soakParts);
  expect(chosen?.seed).toBeGreaterThanOrEqual(0);
  expect(soakChoice(['--list'])).toBeNull();
});

it.each([
  [['mooves'], 'There is no part mooves.'],
  [['moves', '100'], 'There is no part 100.'],
  [['--operations', '0'], '--operations 0: it must be a number from 1 to 99999.'],
  [['--seed', 'x'], '--seed x: it must be a number from 0 to'],
  [['--sead', '1'], "Unknown option '--sead'"],
])('refuses %j', (args, why) => {
  expect(() => soakChoice(args)).toThrow(why);
});

it('lists what the number of operations is of, where a part has one', () => {
  expect(listLines().find((line) => line.startsWith('year'))).toMatch(/; --operations: days, usually 365$/);
  expect(listLines().find((line) => line.startsWith('image'))).not.toContain('--operations');
});
