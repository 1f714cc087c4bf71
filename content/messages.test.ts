import { readdirSync, readFileSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, test } from 'vitest';
import { categories, headers, loaders } from '#db/catalogue/tags/rules.ts';
import { chosenTypes } from '#db/messages/notifications/rules.ts';
import { refusals } from '#db/platform/errors.ts';
import { languageRows, messages, textsOf } from './messages.ts';

const root = new URL('..', import.meta.url).pathname;
const folder = `${root}content/locales/en-US`;
const files = readdirSync(folder).map((name) => ({
  name: name.replace('.json', ''),
  texts: JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Record<string, string>,
}));
const written = Object.assign({}, ...files.map(({ texts }) => texts)) as Record<string, string>;

/** Keys derived from data: those of tags are tested below, and the compiler knows the types of notifications. */
const choices = new Set(chosenTypes.flatMap((type) => [`notify.${type}`, `notify.${type}_text`]));
const byData = (key: string) =>
  key.startsWith('tags.') || key.slice('error.'.length) in refusals || choices.has(key);

// texts of notifications are a table of the database's, which nothing but keys comes from
const sources = ['site', 'control-plane', 'content', 'db/messages/notifications'].flatMap((top) =>
  (readdirSync(`${root}${top}`, { recursive: true }) as string[])
    .filter((path) => /\.(ts|tsx|astro|mjs)$/.test(path) && !/\.test\.|\.e2e\./.test(path))
    .map((path) => ({ path: `${top}/${path}`, text: readFileSync(`${root}${top}/${path}`, 'utf8') })),
);

describe('the texts of en-US', () => {
  test.each(files)('$name.json has only full keys of its folder', ({ name, texts }) => {
    for (const key of Object.keys(texts)) expect(key).toMatch(new RegExp(`^${name}\\.[a-z0-9_+-]+$`, 'i'));
  });

  test('every key used in code has a text', () => {
    const requested = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/\bt\(\s*'([^']+)'/g), ...text.matchAll(/\bt\(\s*"([^"]+)"/g)].map(
        ([, key]) => `${path}: ${key}`,
      ),
    );
    const known = new Set([...Object.keys(written), ...Object.keys(refusals).map((code) => `error.${code}`)]);
    expect(requested.filter((line) => !known.has(line.split(': ')[1]!))).toEqual([]);
  });

  test('every key is used', () => {
    const found = (pattern: RegExp): Set<string> =>
      new Set(sources.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, found]) => found!)));
    const templates = [...found(/`([a-z_]+\.[a-z_]+_)\$\{/g)];
    const literals = found(/['"]([a-z_]+\.[a-z0-9_+-]+)(?=['"])/gi);
    const unused = Object.keys(written).filter(
      (key) => !byData(key) && !literals.has(key) && !templates.some((prefix) => key.startsWith(prefix)),
    );
    expect(unused).toEqual([]);
  });

  test('every category, header and loader has a name, and no other tag has one', () => {
    const named = [
      ...headers.map((header) => `header_${header.replaceAll(' ', '_')}`),
      ...new Set(categories.map(({ name }) => name)),
      ...loaders.map(({ name }) => name),
    ].map((name) => `tags.${name}`);
    expect(
      Object.keys(written)
        .filter((key) => key.startsWith('tags.'))
        .sort(),
    ).toEqual(named.sort());
  });
});

describe.each(languageRows)('$tag', (row) => {
  const texts = row.tag === 'en-US' ? written : textsOf(row);

  test('has only valid messages', () => {
    for (const [key, text] of Object.entries(texts)) {
      expect(
        () => new IntlMessageFormat(text, row.formatting, undefined, { ignoreTag: true }),
        `${key}: ${text}`,
      ).not.toThrow();
    }
  });

  test('has a text for every refusal', () => {
    for (const [code, [, english]] of Object.entries(refusals)) {
      const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      const text = messages(row.tag).t(
        `error.${code as keyof typeof refusals}`,
        Object.fromEntries(names.map((name) => [name, '7'])),
      );
      expect(text, code).not.toMatch(/^error\.|[{}]/);
      expect(text.split('7').length, code).toBeGreaterThan(names.length);
    }
  });
});

test('an unknown language gives en-US', () => {
  expect(messages('xx-YY')).toBe(messages('en-US'));
});

test('concurrent requests in two languages do not mix', () => {
  const [english, accented] = [messages('en-US').t, messages('en-XA').t];
  expect([english('tags.magic'), accented('tags.magic'), english('tags.magic')]).toEqual([
    'Magic',
    'Ɱàĝîç··'.replace('Ɱ', 'M'),
    'Magic',
  ]);
});

test('astro-i18next has the same folders and languages', async () => {
  const { default: config } = (await import('../astro-i18next.config.cjs')) as {
    default: { locales: string[]; namespaces: string[] };
  };
  expect(config.namespaces.sort()).toEqual(files.map(({ name }) => name).sort());
  expect(config.locales).toEqual(languageRows.map(({ tag }) => tag));
});

test('a regional variant applies its letter replacements', () => {
  const swiss = languageRows.find(({ tag }) => tag === 'de-CH')!;
  const [there, here] = [textsOf({ tag: 'de-DE' }), textsOf(swiss)];
  expect(Object.keys(here)).toEqual(Object.keys(there));
  expect(there['gallery.close']).toBe('Schließen');
  expect(here['gallery.close']).toBe('Schliessen');
  expect(Object.values(here).filter((text) => /[ß„“]/.test(text))).toEqual([]);
});
