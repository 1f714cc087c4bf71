import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../testing/soak.ts';
import { byteLengthOfName, bytesOfName, isOwnName, isRawName, nameOfBytes, readableName } from './rules.ts';

describe('names of any bytes', () => {
  test.each<[string, number[], string]>([
    ['plain text', [0x61, 0x2e, 0x79], 'a.y'],
    ['UTF-8', [0xd0, 0xbc, 0xf0, 0x9f, 0xa7, 0xb1], 'м🧱'],
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x61], '\ufeffa'],
    ['the replacement character itself', [0xef, 0xbf, 0xbd], '\ufffd'],
    ['Latin-1', [0x63, 0x61, 0x66, 0xe9], 'caf\uefe9'],
    ['a character that ends too early', [0xe6, 0xb5, 0x61], '\uefe6\uefb5a'],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80], '\uefed\uefa0\uef80'],
    ['a character of those that stand for bytes', [0xee, 0xbe, 0xa9], '\uefee\uefbe\uefa9'],
  ])('%s', (_, bytes, name) => {
    expect(nameOfBytes(new Uint8Array(bytes))).toBe(name);
    expect([...bytesOfName(name)]).toEqual(bytes);
    expect(byteLengthOfName(name)).toBe(bytes.length);
  });

  test('go back to the same bytes, and no two have the same text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const name = nameOfBytes(bytes);
        expect(bytesOfName(name)).toEqual(bytes);
        expect(byteLengthOfName(name)).toBe(bytes.length);
        expect(name.isWellFormed()).toBe(true);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test('have one text only: another of the same bytes is none', () => {
    for (const [name, is_own] of [
      ['caf\uefe9', true],
      ['é', true],
      // é, and a mark that turns the direction, byte by byte
      ['\uefc3\uefa9', false],
      ['a\uefe2\uef80\uefae', false],
    ] as const)
      expect([name, isOwnName(name)]).toEqual([name, is_own]);
  });

  test('never hide a separator or a dot', () => {
    expect(bytesOfName('\uef2f\uef2e')).toEqual(new TextEncoder().encode('\uef2f\uef2e'));
  });

  test('are shown with the replacement character', () => {
    expect(readableName('caf\uefe9.yml')).toBe('caf\ufffd.yml');
    expect([isRawName('caf\uefe9'), isRawName('café')]).toEqual([true, false]);
  });
});
