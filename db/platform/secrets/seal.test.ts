import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openSealer } from './key-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-seal-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a sealed text', () => {
  const sealer = openSealer(folder);

  test('is opened for its purpose by every process of the installation', () => {
    const sealed = sealer.seal('JBSWY3DPEHPK3PXP ü', 'totp:AbCd1234');
    expect(sealed).not.toContain('JBSW');
    expect(sealer.seal('JBSWY3DPEHPK3PXP ü', 'totp:AbCd1234')).not.toBe(sealed);
    expect(openSealer(folder).open(sealed, 'totp:AbCd1234')).toBe('JBSWY3DPEHPK3PXP ü');
  });

  test('is not opened for another purpose, with another key, or after a change', () => {
    const sealed = sealer.seal('secret', 'totp:a');
    const other = openSealer(mkdtempSync(join(folder, 'other-')));
    const changed = `${sealed.slice(0, -2)}${sealed.at(-2) === 'A' ? 'B' : 'A'}${sealed.at(-1)}`;
    expect([
      sealer.open(sealed, 'totp:b'),
      other.open(sealed, 'totp:a'),
      sealer.open(changed, 'totp:a'),
    ]).toEqual([null, null, null]);
    expect([
      sealer.open('', 'totp:a'),
      sealer.open('v1.', 'totp:a'),
      sealer.open('v2.abcd', 'totp:a'),
    ]).toEqual([null, null, null]);
  });
});

test('the key is made once, for its owner only, and a broken one ends the start', () => {
  const place = mkdtempSync(join(folder, 'key-'));
  openSealer(place);
  expect(readdirSync(place)).toEqual(['secret.key']);
  expect(statSync(join(place, 'secret.key')).mode & 0o777).toBe(0o600);
  writeFileSync(join(place, 'secret.key'), 'short');
  expect(() => openSealer(place)).toThrow('restore it from a backup');
});
