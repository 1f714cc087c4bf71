import { describe, expect, it } from 'vitest';
import { changeProperties, decodeProperties, readProperties } from './file.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));
const changed = (text: string, changes: Record<string, string>) =>
  new TextDecoder().decode(
    changeProperties({ bytes: utf8(text), changes: new Map(Object.entries(changes)) }),
  );

it.each(['\u2028', ' ', '\\', 'a\\\n', '\\ud', '='])('reads 240,000 times %j in linear time', (repeated) => {
  const text = `${repeated.repeat(240_000 / repeated.length)}#`;
  const begun = performance.now();
  readProperties(text);
  expect(performance.now() - begun).toBeLessThan(3_000);
});

describe('server.properties', () => {
  const file =
    '#Minecraft server properties\r\n#Thu\r\nmotd=A \\u00a7cserver\r\n  max-players : 20\r\nodd\r\n\r\nx=1\r\n';

  it('keeps comments, order, spaces, unknown keys and line ends', () => {
    expect(changed(file, { x: '2' })).toBe(file.replace('x=1', 'x=2'));
    expect(changed(file, {})).toBe(file);
  });

  it('reads escapes, separators and keys without a value', () => {
    expect([...readProperties(file).values]).toEqual([
      ['motd', 'A §cserver'],
      ['max-players', '20'],
      ['odd', ''],
      ['x', '1'],
    ]);
  });

  it('changes the line that counts when a key is there twice, and names it', () => {
    const twice = 'a=1\nb=2\na=3\n';
    expect(readProperties(twice)).toMatchObject({ repeated: ['a'] });
    expect(readProperties(twice).values.get('a')).toBe('3');
    expect(changed(twice, { a: '4' })).toBe('a=1\nb=2\na=4\n');
  });

  it('adds a new key at the end, also without a last line end', () => {
    expect(changed('a=1\n', { b: '2' })).toMatch(/^a=1\nb ?= ?2\n$/);
    expect(changed('a=1', { b: '2' })).toMatch(/^a=1\nb ?= ?2$/);
    expect(changed('', { b: '2' })).toMatch(/^b ?= ?2\n$/);
  });

  it.each([' leading', '#no comment', 'a=b:c', 'two\nlines', '§6 gold', '\u{1f600}', 'back\\slash', ''])(
    'reads what it wrote: %j',
    (value) => {
      expect(readProperties(changed('motd=old\n', { motd: value })).values.get('motd')).toBe(value);
      expect(readProperties(changed('a=1\n', { motd: value })).values.get('motd')).toBe(value);
    },
  );

  it('keeps Latin-1 where the file has it', () => {
    const bytes = latin1('motd=caf\xe9\na=1\n');
    expect(decodeProperties(bytes)).toContain('café');
    const written = changeProperties({ bytes, changes: new Map([['a', '2']]) });
    expect(written).toEqual(latin1('motd=caf\xe9\na=2\n'));
  });

  it.each(['a=\\u12\nb=1\n', '\\uZZ=1\nb=1\n', 'a=C:\\users\nb=1\n'])(
    'takes a malformed escape as text: %j',
    (text) => {
      expect(readProperties(text).values.get('b')).toBe('1');
      expect(readProperties(changed(text, { b: '2' })).values.get('b')).toBe('2');
    },
  );

  it('leaves a backslash in a comment and an escaped one alone', () => {
    const text = '# C:\\users\na=\\\\users\nb=1\n';
    expect(changed(text, { b: '2' })).toBe(text.replace('b=1', 'b=2'));
    expect(readProperties(text).values.get('a')).toBe('\\users');
  });
});
