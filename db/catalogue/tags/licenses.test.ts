import { expect, test } from 'vitest';
import {
  firstLicense,
  isOsiApproved,
  licenseName,
  licenses,
  licensesWithText,
  licenseText,
  whyNotLicense,
} from './licenses.ts';

test.each([
  ['MIT', 'MIT License', true],
  ['MIT OR Apache-2.0', 'MIT License, Apache License 2.0', true],
  [
    '(LGPL-3.0-or-later AND MIT) OR CC0-1.0',
    'GNU Lesser General Public License v3.0 or later, MIT License, Creative Commons Zero v1.0 Universal',
    true,
  ],
  ['GPL-2.0-only WITH Classpath-exception-2.0', 'GNU General Public License v2.0 only', true],
  ['CC-BY-NC-4.0', 'Creative Commons Attribution Non Commercial 4.0 International', false],
  ['LicenseRef-All-Rights-Reserved', 'All Rights Reserved', false],
  ['LicenseRef-Own-Terms', 'Own Terms', false],
  ['arr', 'All Rights Reserved', false],
])('%s is a licence named %s', (expression, name, osi) => {
  expect(whyNotLicense(expression)).toBeNull();
  expect(licenseName(expression)).toBe(name);
  expect(isOsiApproved(expression)).toBe(osi);
});

test('lists the licences of an expression that have a text, without duplicates', () => {
  expect(licensesWithText('(MIT OR Apache-2.0) AND MIT')).toEqual(['MIT', 'Apache-2.0']);
  expect(licensesWithText('arr')).toEqual(['LicenseRef-All-Rights-Reserved']);
  for (const text of ['LicenseRef-Own-Terms', 'Mit License', '', 'constructor'])
    expect([text, licensesWithText(text)]).toEqual([text, []]);
});

test.each(['', 'Mit License', 'MIT AND', 'MIT, Apache-2.0', '__proto__', '('.repeat(600), 'constructor'])(
  'rejects %j',
  (expression) => {
    expect(whyNotLicense(expression)).toBe('license_unknown');
    expect(licenseName(expression)).toBe('');
    expect(isOsiApproved(expression)).toBe(false);
  },
);

test('search shows the first licence of an expression', () => {
  expect(firstLicense('Apache-2.0 OR MIT')).toBe('Apache-2.0');
});

test('has a name and a text for every SPDX licence', () => {
  expect(licenses().length).toBeGreaterThan(600);
  for (const { short, name } of licenses().filter((_, position) => position % 40 === 0)) {
    expect(licenseText(short)?.title).toBe(name);
    expect(licenseText(short)?.body.length).toBeGreaterThan(50);
  }
  expect(licenseText('arr')?.title).toBe('All Rights Reserved');
  expect(licenseText('../package')).toBeNull();
  expect(licenseText('constructor')).toBeNull();
});
