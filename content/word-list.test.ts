import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { refusals } from '#db/platform/errors.ts';

/**
 * Words and signs that texts no longer use, and what they use instead; `*` is any ending. `quoted`: by key, what the
 * specification or another standard puts there word for word.
 */
const list = JSON.parse(readFileSync(new URL('word-list.json', import.meta.url), 'utf8')) as {
  words: Record<string, string>;
  signs: Record<string, string>;
  quoted: Record<string, string[]>;
};

const folder = new URL('locales/en-US/', import.meta.url);
const texts: Record<string, string> = Object.assign(
  {},
  ...readdirSync(folder).map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))),
);
const refused = Object.fromEntries(
  Object.entries(refusals).map(([code, [, text]]) => [`error.${code}`, text]),
);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const patterns = Object.entries(list.words).map(([old, now]) => {
  return [old, now, new RegExp(`\\b${escaped(old).replaceAll('\\*', '\\w*')}\\b`, 'gi')] as const;
});

/** What a reader sees of an ICU message, without the names of its values. */
const readable = (text: string) => text.replace(/\{\w+\}|\{\w+, \w+,/g, ' ');

/** The retired words in `text`, as `old: new`; none of `quoted`. */
function retiredWords(text: string, quoted: readonly string[] = []): string[] {
  return patterns
    .filter(([old]) => !quoted.includes(old))
    .filter(([, now, pattern]) => [...readable(text).matchAll(pattern)].some(([found]) => found !== now))
    .map(([old, now]) => `${old}: ${now}`);
}

function retiredSigns(text: string, quoted: readonly string[] = []): string[] {
  return Object.entries(list.signs)
    .filter(([old]) => !quoted.includes(old) && text.includes(old))
    .map(([old, now]) => `${old}: ${now}`);
}

/** The most words of a sentence: a longer one is read twice. */
const max_words = 24;

const wrong = (found: typeof retiredWords, all: Record<string, string>) =>
  Object.entries(all).flatMap(([key, text]) =>
    found(text, list.quoted[key]).map((change) => `${key} "${text}" (${change})`),
  );

describe('the words of en-US', () => {
  test('are those of the word list', () => {
    expect(wrong(retiredWords, { ...texts, ...refused })).toEqual([]);
  });

  test('have typographic quotes and no exclamation marks', () => {
    expect(wrong(retiredSigns, texts)).toEqual([]);
  });

  test('make sentences of at most 24 words', () => {
    const sentences = (text: string) => readable(text).split(/[{}]|[.:;?!](?=\s|$)/);
    const long = Object.entries(texts).flatMap(([key, text]) =>
      sentences(text)
        .filter((one) => one.split(/\s+/).filter(Boolean).length > max_words)
        .map((one) => `${key}: ${one}`),
    );
    expect(long).toEqual([]);
  });

  test('quote only what is there', () => {
    const all: Record<string, string> = { ...texts, ...refused };
    const idle = Object.entries(list.quoted).flatMap(([key, quoted]) =>
      quoted.filter((old) => {
        const text = all[key] ?? '';
        return !retiredWords(text).some((change) => change.startsWith(`${old}:`)) && !text.includes(old);
      }),
    );
    expect(idle).toEqual([]);
  });
});

describe('the word list', () => {
  test('refuses British spelling and retired words, with their replacements', () => {
    expect(retiredWords('Cancelling keeps the licences. Log in with your e-mail or ID.')).toEqual([
      'cancelling: canceling',
      'licence*: license',
      'e-mail*: email',
      'log in: sign in',
    ]);
    expect(retiredWords('The id of {kind} in {count, plural, one {# colour} other {# kinds}}')).toEqual([
      'colour*: color',
      'Id: ID',
      'kinds: types',
    ]);
    expect(retiredSigns("Don't")).toEqual([`': ’`]);
  });

  test.each(Object.entries(list.words))('refuses %s, and not its replacement: %s', (old, now) => {
    const word = old.replace('*', '');
    expect(retiredWords(`a ${word} here`)).toContain(`${old}: ${now}`);
    expect(retiredWords(`a ${now} here`)).not.toContain(`${old}: ${now}`);
  });
});
