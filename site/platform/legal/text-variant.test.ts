import { expect, test } from 'vitest';
import { inVariant, writtenLanguage } from './text-variant.ts';

const swiss = { tag: 'de-CH', base: 'de-DE', replace: { ß: 'ss', '„': '«', '“': '»' } };

test('a text is read in its language, that of its base, or in English', () => {
  const among = (...tags: string[]) => writtenLanguage(swiss, (tag) => tags.includes(tag));
  expect(among('en-US', 'de-DE', 'de-CH')).toBe('de-CH');
  expect(among('en-US', 'de-DE')).toBe('de-DE');
  expect(among('en-US')).toBe('en-US');
  expect(writtenLanguage({ tag: 'ar-SA' }, () => false)).toBe('en-US');
});

test('a variant has its own letters, but only in its own language', () => {
  expect(inVariant('„Straße“', swiss, 'de-DE')).toBe('«Strasse»');
  expect(inVariant('„Straße“', swiss, 'de-CH')).toBe('„Straße“');
  expect(inVariant('“street”', swiss, 'en-US')).toBe('“street”');
  expect(inVariant('„Straße“', { tag: 'de-DE' }, 'de-DE')).toBe('„Straße“');
});
