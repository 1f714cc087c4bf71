import { describe, expect, it } from 'vitest';
import { numberedName, parsePath, pathRefusal, reserved_name, whyNotCancel, whyNotName } from './rules.ts';

describe('a path', () => {
  it('is names, from the folder of the server on', () => {
    expect(parsePath('')).toEqual({ names: [], why: null });
    expect(parsePath('/')).toEqual({ names: [], why: null });
    expect(parsePath('world/level.dat').names).toEqual(['world', 'level.dat']);
    expect(parsePath('/etc/passwd').names).toEqual(['etc', 'passwd']);
    expect(parsePath('…/...').names, 'dots that are no way up').toEqual(['…', '...']);
  });

  it.each([
    ['../x', 'dots'],
    ['a/../../x', 'dots'],
    ['a/./b', 'dots'],
    ['..', 'dots'],
    ['a//b', 'empty'],
    ['a/', 'empty'],
    ['//a', 'empty'],
    ['a\0b', 'nul'],
    ['x'.repeat(256), 'name_long'],
    ['ä'.repeat(128), 'name_long'],
    ['\uefe9'.repeat(256), 'name_long'],
    // bytes that are UTF-8 after all, and would hide a mark of direction
    ['\uefc3\uefa9', 'text'],
    ['a\uefe2\uef80\uefae', 'text'],
    [`${'a/'.repeat(2_048)}b`, 'path_long'],
    [reserved_name, 'reserved'],
    [`${reserved_name}/trash/x`, 'reserved'],
    [`/${reserved_name}`, 'reserved'],
  ])('%j is refused: %s', (path, why) => {
    expect(parsePath(path)).toEqual({ names: null, why });
    expect(parsePath(path, 'fresh').names).toBeNull();
  });

  it('may name what a game made, and something new only if everybody can read it', () => {
    for (const [name, why] of [
      ['a\nb', 'control'],
      ['a\u{7f}', 'control'],
      ['photo\u{202e}gpj.exe', 'direction'],
      ['\u{200f}a', 'direction'],
      ['\u{d800}', 'text'],
    ] as const) {
      expect(parsePath(`plugins/${name}`).names).toEqual(['plugins', name]);
      expect(parsePath(`plugins/${name}`, 'fresh')).toEqual({ names: null, why });
      expect(whyNotName(name)).toBe(why);
    }
    expect(parsePath('', 'fresh').why).toBe('empty');
    for (const name of ['caf\uefe9.yml', '\uefe9'.repeat(255)]) expect(whyNotName(name)).toBeNull();
    expect(whyNotName('مرحبا 👋🏽 äß.txt')).toBeNull();
    expect(parsePath(`plugins/${reserved_name}`, 'fresh').names).toHaveLength(2);
  });

  it('is shown in a refusal without what cannot be seen', () => {
    expect(pathRefusal('a\u{202e}b\0', 'direction')).toMatchObject({ path: 'a\u{fffd}b\u{fffd}' });
    expect(pathRefusal('x'.repeat(9_999), 'path_long').path).toHaveLength(200);
  });
});

it('a second file of a name gets a number before its extension', () => {
  expect(numberedName('map.zip', 2)).toBe('map (2).zip');
  expect(numberedName('world.tar.gz', 3)).toBe('world (3).tar.gz');
  expect(numberedName('.env', 2)).toBe('.env (2)');
  expect(numberedName('eula', 2)).toBe('eula (2)');
  const long = numberedName(`${'ä'.repeat(125)}.txt`, 12);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(255);
  expect(long.endsWith('ä (12).txt')).toBe(true);
});

it('what moves many bytes can be canceled, what is over at once cannot', () => {
  const kinds = [
    'file_copy',
    'file_unpack',
    'file_fetch',
    'file_move',
    'file_purge',
    'backup_create',
    'kill',
  ];
  expect(kinds.filter((kind) => whyNotCancel({ kind }) === null)).toEqual(kinds.slice(0, 3));
  expect(whyNotCancel({ kind: 'file_move' })).toBe('operation_not_cancellable');
});
