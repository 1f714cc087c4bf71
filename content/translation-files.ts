import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { argumentsOf, sourceHash, type TranslationState, translationState } from './translations.ts';

type Texts = Record<string, string>;
const source = 'en-US';

/**
 * What is translated below a folder `content`: messages by their key, legal pages by their path `legal/<page>.md`.
 * `translated-from/<tag>.json` has the hash of the English text that each translation was made from.
 */
export class TranslationFiles {
  /** The languages with files of their own, except en-US. */
  readonly tags: readonly string[];
  readonly #content: string;
  readonly #english: Texts;

  /** `given`: texts of en-US that no file has. */
  constructor(content: string, given: Texts) {
    this.#content = content;
    this.tags = foldersIn(join(content, 'locales')).filter((tag) => tag !== source);
    this.#english = { ...given, ...this.#messages(source), ...this.#legal(source) };
  }

  state(tag: string): TranslationState {
    const sides = {
      english: this.#english,
      translated: { ...this.#messages(tag), ...this.#legal(tag) },
      sources: this.#sources(tag),
    };
    // the parts of legal pages are compared by their own test
    return translationState(sides, (text) => (text.startsWith('---\n') ? [] : argumentsOf(text)));
  }

  /** Deletes what is unusable and records the sources of new translations; returns what it deleted. */
  clean(tag: string): TranslationState['unusable'] {
    const { unusable, unrecorded } = this.state(tag);
    const refused = new Set(unusable.map(({ key }) => key));
    for (const path of this.#messageFiles(tag)) {
      const texts = readTexts(path);
      const usable = Object.entries(texts).filter(([key]) => !refused.has(key));
      if (usable.length === 0) rmSync(path);
      else if (usable.length < Object.keys(texts).length) writeTexts(path, Object.fromEntries(usable));
    }
    for (const key of refused) if (isLegal(key)) rmSync(this.#legalFile(tag, key));
    this.confirm(tag, unrecorded);
    return unusable;
  }

  /** Records that the translations of `keys` fit the English text of today. */
  confirm(tag: string, keys: readonly string[]): void {
    const { lacking } = this.state(tag);
    const absent = new Set(lacking);
    const sources = this.#sources(tag);
    for (const key of keys)
      if (!absent.has(key) && this.#english[key] !== undefined) sources[key] = sourceHash(this.#english[key]);
    const known = Object.keys(this.#english).filter((key) => sources[key] !== undefined && !absent.has(key));
    writeTexts(this.#sourcesFile(tag), Object.fromEntries(known.map((key) => [key, sources[key]!])));
  }

  #sourcesFile(tag: string): string {
    return join(this.#content, 'translated-from', `${tag}.json`);
  }

  #sources(tag: string): Texts {
    const path = this.#sourcesFile(tag);
    return existsSync(path) ? readTexts(path) : {};
  }

  #messageFiles(tag: string): string[] {
    const folder = join(this.#content, 'locales', tag);
    return namesIn(folder, '.json').map((name) => join(folder, name));
  }

  #messages(tag: string): Texts {
    return Object.assign({}, ...this.#messageFiles(tag).map(readTexts));
  }

  #legalFile(tag: string, key: string): string {
    return join(this.#content, 'legal', tag, key.slice('legal/'.length));
  }

  #legal(tag: string): Texts {
    const keys = namesIn(join(this.#content, 'legal', tag), '.md').map((name) => `legal/${name}`);
    return Object.fromEntries(keys.map((key) => [key, readFileSync(this.#legalFile(tag, key), 'utf8')]));
  }
}

const isLegal = (key: string): boolean => key.startsWith('legal/');

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

const namesIn = (folder: string, ending: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(ending))
        .sort()
    : [];

const readTexts = (path: string): Texts => JSON.parse(readFileSync(path, 'utf8')) as Texts;

function writeTexts(path: string, texts: Texts): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(texts, null, 2)}\n`);
}
