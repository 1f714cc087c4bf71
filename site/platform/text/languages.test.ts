import fc from 'fast-check';
import { expect, test } from 'vitest';
import { languages, negotiate, newUndefinedLocale } from './languages.ts';

test.each([
  ['nothing sent', {}, 'en-US'],
  ['hl wins over the cookie', { hl: 'en-XA', cookie: 'ar-XB', accept: 'en' }, 'en-XA'],
  ['letter case does not matter', { hl: 'AR-xb' }, 'ar-XB'],
  ['an unknown hl is passed over', { hl: 'tlh', cookie: 'ar-XB' }, 'ar-XB'],
  ['an unknown cookie is passed over', { cookie: 'gone', accept: 'en-GB' }, 'en-US'],
  ['a language without its region is enough', { hl: 'en' }, 'en-US'],
  ['browsers do not get the languages made for tests', { accept: 'en-XA,en;q=0.5' }, 'en-US'],
  ['browsers get what they prefer first', { accept: 'tlh,de;q=0.8,ar-SA;q=0.9' }, 'ar-SA'],
  ['a country of its own comes before its neighbour', { accept: 'de-CH' }, 'de-CH'],
  ['another country is near enough', { accept: 'de-AT,en;q=0.5' }, 'de-DE'],
  ['the cookie wins over the browser', { cookie: 'de-DE', accept: 'ar' }, 'de-DE'],
  ['malformed values are no mistake', { hl: '_', cookie: '%00', accept: ';;q=,,*' }, 'en-US'],
])('%s', (_name, sent, tag) => {
  expect(negotiate(sent).tag).toBe(tag);
});

test('any input gives one of the languages', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 60 }),
      fc.string({ maxLength: 60 }),
      fc.string(),
      (hl, cookie, accept) => {
        expect(languages).toContain(negotiate({ hl, cookie, accept }));
      },
    ),
  );
});

test('joke languages are chosen by name, never by Accept-Language', () => {
  expect(negotiate({ hl: 'en-ud' }).tag).toBe('en-UD');
  expect(negotiate({ accept: 'en-UD,en-AU;q=0.5' }).tag).toBe('en-US');
});

test('a value that names no language is given to the log once', () => {
  expect(newUndefinedLocale('de-DE', 'ar', null, undefined, '')).toBeNull();
  expect(newUndefinedLocale('tlh', 'de-DE')).toBe('tlh');
  expect(newUndefinedLocale('tlh')).toBeNull();
  expect(newUndefinedLocale(null, '\0%')).toBe('\0%');
  expect(newUndefinedLocale('x'.repeat(5000))).toHaveLength(35);
  for (let at = 0; at < 1000; at++) newUndefinedLocale(`zz-${at}`);
  expect(newUndefinedLocale('tlh')).toBe('tlh'); // only the newest values are remembered
});
