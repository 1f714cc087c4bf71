import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Catalogue } from './catalogue.ts';
import { markEnglish } from './mark-english.ts';
import { TranslationFiles } from './translation-files.ts';

let content: string;
const write = (path: string, value: unknown): void => {
  mkdirSync(dirname(join(content, path)), { recursive: true });
  writeFileSync(join(content, path), typeof value === 'string' ? value : JSON.stringify(value, null, 2));
};
const read = (path: string): unknown => JSON.parse(readFileSync(join(content, path), 'utf8'));
const files = (): TranslationFiles => new TranslationFiles(content, { 'error.x': 'Not found.' });
const row = (tag: string) => ({
  tag,
  name: tag,
  search: '',
  dir: 'ltr',
  formatting: tag,
  group: 'standard',
  enabled: true,
});

beforeEach(() => {
  content = mkdtempSync(join(tmpdir(), 'cairn-translations-'));
  write('locales/languages.json', [row('en-US'), row('de-DE')]);
  write('locales/en-US/a.json', { 'a.save': 'Save', 'a.by': 'By {name}' });
  write('locales/de-DE/a.json', { 'a.save': 'Speichern', 'a.by': 'Von {name}' });
  write('locales/de-DE/error.json', { 'error.x': 'Nicht gefunden.' });
  write('legal/en-US/terms.md', '---\ntitle: Terms\n---\nBe kind.\n');
  write('legal/de-DE/terms.md', '---\ntitle: Bedingungen\n---\nSei freundlich.\n');
  files().clean('de-DE');
});
afterEach(() => rmSync(content, { recursive: true }));

describe('a text that is added in English only', () => {
  const key = 'a.undo' as never;
  const german = () => new Catalogue(join(content, 'locales'), { given: {}, forDevelopers: false });
  beforeEach(() =>
    write('locales/en-US/a.json', { 'a.save': 'Save', 'a.by': 'By {name}', [key]: 'Undo {count}' }),
  );

  it('is counted, and there is nothing to do about it', () => {
    expect(files().state('de-DE')).toEqual({ lacking: [key], unusable: [], outdated: [], unrecorded: [] });
  });

  it('is displayed in English on a German page, and marked so', () => {
    const catalogue = german();
    const { t } = catalogue.messages('de-DE');
    const page = `<html lang="de-DE"><h1>${t('a.save' as never)}</h1><p>${t(key, { count: 2 })}</p></html>`;
    const english = catalogue.englishTexts('de-DE');
    expect(markEnglish(page, { locale: 'de-DE', isEnglish: (text) => english.has(text) })).toBe(
      '<html lang="de-DE"><h1>Speichern</h1><p lang="en">Undo 2</p></html>',
    );
  });
});

describe('a translation', () => {
  it('that en-US has no text for is deleted', () => {
    write('locales/en-US/a.json', { 'a.by': 'By {name}' });
    const gone = { key: 'a.save', reason: 'en-US has no such text' };
    expect(files().state('de-DE').unusable).toEqual([gone]);
    expect(files().clean('de-DE')).toEqual([gone]);
    expect(read('locales/de-DE/a.json')).toEqual({ 'a.by': 'Von {name}' });
    expect(Object.keys(read('translated-from/de-DE.json') as object)).toEqual([
      'error.x',
      'a.by',
      'legal/terms.md',
    ]);
    expect(files().clean('de-DE')).toEqual([]);
  });

  it('with other arguments than en-US is deleted, and English is displayed', () => {
    write('locales/en-US/a.json', { 'a.save': 'Save', 'a.by': 'By {name} and {other}' });
    expect(files().clean('de-DE')).toEqual([
      { key: 'a.by', reason: 'its arguments are name; those of en-US are name, other' },
    ]);
    expect(files().state('de-DE')).toEqual({ lacking: ['a.by'], unusable: [], outdated: [], unrecorded: [] });
  });

  it('of a text that changed stays, and is outdated until it is confirmed', () => {
    write('locales/en-US/a.json', { 'a.save': 'Save all', 'a.by': 'By {name}' });
    write('legal/en-US/terms.md', '---\ntitle: Terms\n---\nBe kind and fair.\n');
    expect(files().clean('de-DE')).toEqual([]);
    expect(files().state('de-DE').outdated).toEqual(['a.save', 'legal/terms.md']);
    expect(read('locales/de-DE/a.json')).toEqual({ 'a.save': 'Speichern', 'a.by': 'Von {name}' });
    files().confirm('de-DE', ['a.save', 'no.such_key']);
    expect(files().state('de-DE').outdated).toEqual(['legal/terms.md']);
  });

  it('that is new has its source recorded', () => {
    write('locales/en-US/b.json', { 'b.open': 'Open' });
    write('locales/de-DE/b.json', { 'b.open': 'Öffnen' });
    expect(files().state('de-DE').unrecorded).toEqual(['b.open']);
    files().clean('de-DE');
    expect(files().state('de-DE')).toEqual({ lacking: [], unusable: [], outdated: [], unrecorded: [] });
  });
});
