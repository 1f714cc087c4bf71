import { expect, test } from 'vitest';
import { choiceOf, licenseOfChoice } from './license-choice.server.ts';

const listed = (license: string, later = false) => ({ license, later, custom: '' });
const custom = (text: string) => ({ license: 'custom', later: false, custom: text });

test.each([
  ['MIT', listed('MIT')],
  ['GPL-3.0-or-later', listed('GPL-3.0-only', true)],
  ['GPL-3.0-only', listed('GPL-3.0-only')],
  ['Apache-2.0+', listed('Apache-2.0', true)],
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
