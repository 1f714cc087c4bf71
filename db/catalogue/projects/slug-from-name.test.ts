import { expect, test } from 'vitest';
import { whyNotUseSlug } from './rules.ts';
import { slugFromName } from './slug-from-name.ts';

test.each([
  ['Pale Ferns', 'pale-ferns'],
  ['  Two   spaces ', 'two-spaces'],
  ['Café Glacé', 'cafe-glace'],
  ['Stones & Lanterns!', 'stones-lanterns'],
  ['a - b -- c', 'a-b-c'],
  ['v1.2_beta', 'v1.2_beta'],
  ['...dots...', 'dots'],
  ['فوانيس', ''],
  ['', ''],
])('%j gives %j', (name, slug) => {
  expect(slugFromName(name)).toBe(slug);
});

test('a long name gives a slug that may be used', () => {
  const slug = slugFromName(`${'stone '.repeat(40)}`);
  expect(whyNotUseSlug(slug)).toBeNull();
  expect(slug.endsWith('-')).toBe(false);
});
