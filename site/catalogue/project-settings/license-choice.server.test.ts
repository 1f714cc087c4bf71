import { expect, test } from 'vitest';
import { matching } from '../../platform/ui/combobox.ts';
import { choiceOf, hasLaterClause, licenseOfChoice, listedLicenses } from './license-choice.server.ts';

const listed = (license: string, later = false) => ({ license, later, custom: '' });
const custom = (text: string) => ({ license: 'custom', later: false, custom: text });

test.each([
  ['MIT', listed('MIT')],
  ['GPL-3.0-or-later', listed('GPL-3.0-only', true)],
  ['GPL-3.0-only', listed('GPL-3.0-only')],
  ['Apache-2.0+', custom('Apache-2.0+')],
  ['GPL-3.0+', custom('GPL-3.0+')],
  ['LicenseRef-All-Rights-Reserved', listed('LicenseRef-All-Rights-Reserved')],
  ['LicenseRef-Cave-License', custom('LicenseRef-Cave-License')],
  ['MIT OR Apache-2.0', custom('MIT OR Apache-2.0')],
])('%s is shown as it is stored, and stored again the same', (stored, choice) => {
  expect(choiceOf(stored)).toEqual(choice);
  expect(licenseOfChoice(choice)).toBe(stored);
});

test('a name becomes a license of its own, and no name none', () => {
  expect(licenseOfChoice(custom('Cave license, v2'))).toBe('LicenseRef-Cave-license-v2');
  expect(licenseOfChoice(custom('رخصة'))).toBe('');
  expect(licenseOfChoice(custom(' '))).toBe('');
});

test('what has no versions has none later', () => {
  expect(licenseOfChoice(listed('LicenseRef-Unknown', true))).toBe('LicenseRef-Unknown');
});

test('only the licenses of the GPL family have an "or later"', () => {
  const having = listedLicenses().filter(({ short }) => hasLaterClause(short));
  expect(having.map(({ short }) => short)).toEqual(
    expect.arrayContaining(['GPL-3.0-only', 'LGPL-2.1-only', 'AGPL-3.0-only']),
  );
  expect(having.filter(({ short }) => !/^(A|L)?GPL-|^GFDL-/.test(short))).toEqual([]);
  for (const { short } of listedLicenses())
    expect(licenseOfChoice(listed(short, true))).toBe(
      hasLaterClause(short) ? short.replace(/-only$/, '-or-later') : short,
    );
});

test('common licenses stand first, and typing the id of any license finds it first', () => {
  const all = listedLicenses();
  expect(all.slice(0, 3).map(({ short }) => short)).toEqual(['MIT', 'GPL-3.0-only', 'LGPL-3.0-only']);
  expect(new Set(all).size).toBe(all.length);
  const texts = all.map(({ short, name }) => `${name} (${short})`);
  const wrong = all.filter(({ short }) => all[matching(texts, short)[0]!]?.short !== short);
  expect(wrong).toEqual([]);
  expect(all[matching(texts, 'mit')[0]!]?.short).toBe('MIT');
});
