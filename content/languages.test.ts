import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { LanguageRow } from './messages.ts';

const rows = JSON.parse(
  readFileSync(new URL('locales/languages.json', import.meta.url), 'utf8'),
) as LanguageRow[];
const real = rows.filter(({ pseudo }) => !pseudo);

/** Source: specification §9 (Supported locales). */
const supported =
  `en-US en-PT en-UD lol-US zh-TW zh-CN vi-VN uk-UA tt-RU tr-TR tl-PH th-TH sv-SE sr-Cyrl-RS sr-Latn-RS
  sl-SI sk-SK ru-RU ro-RO pt-PT pt-BR pl-PL nb-NO nl-NL ms-MY ms-Arab-MY lv-LV lt-LT ky-KG ko-KR kk-KZ ja-JP it-IT is-IS
  id-ID hu-HU hr-HR hi-IN he-IL fr-FR fil-PH fi-FI fa-IR et-EE es-ES es-419 eo-001 el-GR de-DE de-CH da-DK cs-CZ ceb-PH
  ca-ES bn-BD bg-BG be-BY az-AZ ar-SA ar-EG af-ZA`.split(/\s+/);

test('the table has every language of the specification once, the default first', () => {
  expect(real.map(({ tag }) => tag).sort()).toEqual(supported.sort());
  expect(rows[0]!.tag).toBe('en-US');
});

test.each(real)('$tag is a valid tag that Intl supports', (row) => {
  // Intl uses Tagalog for Filipino; translators do not
  expect(Intl.getCanonicalLocales(row.tag)).toEqual([row.tag === 'tl-PH' ? 'fil-PH' : row.tag]);
  const language = new Intl.Locale(row.formatting).language;
  expect(new Intl.NumberFormat(row.formatting).resolvedOptions().locale).toMatch(new RegExp(`^${language}`));
  const { locale, calendar } = new Intl.DateTimeFormat(row.formatting).resolvedOptions();
  expect(locale).toMatch(new RegExp(`^${language}`));
  expect(calendar).toMatch(/^(gregory|persian)$/);
});

test.each(real)('$tag has the direction of its script', ({ tag, dir, name }) => {
  const rtl = ['Arab', 'Hebr'].includes(new Intl.Locale(tag).maximize().script!);
  expect(dir).toBe(rtl ? 'rtl' : 'ltr');
  expect(/[\u0590-\u08ff]/.test(name)).toBe(rtl);
});

test.each(real.filter(({ group }) => group !== 'fun'))(
  '$tag has the code of ISO 639-3 of its language',
  ({ tag, iso }) => {
    expect(iso).toMatch(/^[a-z]{3}$/);
    // codes of two letters are the canonical form of those of three, where a language has both
    expect(new Intl.Locale(iso!).language).toBe(new Intl.Locale(tag).language);
  },
);

test.each(real)('$tag has search words without accents', ({ search }) => {
  expect(search).toMatch(/^[a-z ]+$/);
});
