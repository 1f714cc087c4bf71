import { describe, expect, it } from 'vitest';
import {
  canMoveTo,
  cleanPath,
  crumbsOf,
  foldersOf,
  joinPath,
  nameOf,
  parentOf,
  requestParts,
} from './paths.ts';

describe('paths', () => {
  it('are put together and taken apart', () => {
    expect(joinPath('', 'a')).toBe('a');
    expect(joinPath('a/b', 'c')).toBe('a/b/c');
    expect([parentOf('a/b/c'), parentOf('a'), parentOf('')]).toEqual(['a/b', '', '']);
    expect([nameOf('a/b/c'), nameOf('a')]).toEqual(['c', 'a']);
    expect(crumbsOf('')).toEqual([]);
    expect(crumbsOf('a/b')).toEqual([
      { name: 'a', path: 'a' },
      { name: 'b', path: 'a/b' },
    ]);
  });

  it('lose what leads elsewhere', () => {
    expect(cleanPath('/a//../b/./c/')).toBe('a/b/c');
    expect(cleanPath('../..')).toBe('');
    expect(cleanPath('a/..b')).toBe('a/..b');
  });

  it.each([
    [['a'], 'b', true],
    [['a'], 'a', false],
    [['a'], 'a/b', false],
    [['a'], 'ab', true],
    [['b/a'], '', true],
    [['a'], '', false],
    [['b/a', 'b/c'], 'b', false],
    [[], 'b', false],
  ])('%j can be moved to "%s": %s', (paths, folder, can) => {
    expect(canMoveTo(paths, folder)).toBe(can);
  });

  it('name the folders they need, parents first', () => {
    const paths = ['w/x/y/1', 'w/x/2', 'w/b/3', 'w/4'];
    expect(foldersOf(paths, 'w')).toEqual(['w/b', 'w/x', 'w/x/y']);
    expect(foldersOf(['a/b'], '')).toEqual(['a']);
    expect(foldersOf(['b'], '')).toEqual([]);
  });

  it('are sent in parts of 500', () => {
    const parts = requestParts(Array.from({ length: 1001 }, (_, i) => i));
    expect(parts.map((part) => part.length)).toEqual([500, 500, 1]);
    expect(parts.flat().at(-1)).toBe(1000);
    expect(requestParts([])).toEqual([]);
  });
});
