import { expect, it } from 'vitest';
import { openPath, placeOf, searchOf } from './address.ts';

it('gives what an address shows, and nothing that leads elsewhere', () => {
  expect(placeOf('')).toEqual({ path: '', file: null, view: 'files' });
  expect(placeOf('?path=/config//../snow%20line/&file=a.toml')).toEqual({
    ...{ path: 'config/snow line', file: 'a.toml', view: 'files' },
  });
  expect(placeOf('?file=../a/b').file).toBe(null);
  expect(placeOf('?view=trash').view).toBe('trash');
  expect(placeOf('?view=else').view).toBe('files');
});

it('writes an address that gives the same again, and keeps the language', () => {
  const place = { path: 'a b/ü&c', file: 'x+y.json', view: 'files' as const };
  const search = searchOf(place, '?hl=ar-SA&path=old&view=trash');
  expect(search).toContain('hl=ar-SA');
  expect(search).toContain('a+b/');
  expect(placeOf(search)).toEqual(place);
  expect(searchOf({ path: '', file: null, view: 'files' }, '?path=a&file=b')).toBe('');
  expect(openPath(place)).toBe('a b/ü&c/x+y.json');
});
