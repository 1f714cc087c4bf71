import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createInstance, type i18n } from 'i18next';
import ICU from 'i18next-icu';
import { EnglishTexts } from './english-texts.ts';
import type { MessageKey } from './keys.ts';
import { type Pseudo, pseudo } from './pseudo.ts';

/**
 * One row of `locales/languages.json`. `formatting` is the tag for `Intl`, because pseudo-locales have no valid one.
 */
export interface LanguageRow {
  tag: string;
  /** Name of the language in that language. */
  name: string;
  /** Search words, lower case and without accents: English name, countries. */
  search: string;
  /** Code of ISO 639-3, by which the list of languages finds it too; absent where the language is a joke. */
  iso?: string;
  dir: 'ltr' | 'rtl';
  formatting: string;
  group: 'standard' | 'fun' | 'experimental';
  /** Whether it has messages and is offered. */
  enabled?: boolean;
  /** Generated from en-US when loaded, and offered like any other. */
  made?: Pseudo;
  /** A language with the same texts except its own files and `replace` (letter for letter). */
  base?: string;
  replace?: Record<string, string>;
  /** Generated from en-US when loaded; in development and tests only. */
  pseudo?: Pseudo;
}

export type Values = Record<string, string | number | Date | null | undefined>;
export type Translate = (key: MessageKey, values?: Values) => string;
export interface Messages {
  locale: string;
  /** The tag for `Intl`. */
  formatting: string;
  t: Translate;
}

type Texts = Record<string, string>;
type Source = Pick<LanguageRow, 'tag' | 'pseudo' | 'made' | 'base' | 'replace'>;

interface Options {
  /** Texts of en-US that no file has. */
  given: Texts;
  /** Whether languages generated for tests are offered. */
  forDevelopers: boolean;
}

/** The texts of all languages below `folder`, in memory: `languages.json` and one folder per language. */
export class Catalogue {
  /** Every language that is offered, the default first. */
  readonly languageRows: readonly LanguageRow[];
  readonly #folder: string;
  /** All texts of en-US. */
  readonly #source: Texts;
  // by language, made when the first text is wanted: a command speaks one, and generated ones take half of its start
  readonly #texts = new Map<string, Texts>();
  readonly #english = new Map<string, EnglishTexts>();
  readonly #instance: i18n;
  readonly #made = new Map<string, Messages>();

  constructor(folder: string, { given, forDevelopers }: Options) {
    this.#folder = folder;
    this.languageRows = (this.#read('languages.json') as LanguageRow[]).filter((row) =>
      row.pseudo ? forDevelopers : row.enabled,
    );
    this.#source = { ...given, ...this.#filesOf('en-US') };
    this.#texts.set('en-US', this.#source);
    this.#instance = instanceOf(this.languageRows, this.#source);
  }

  /** Every key of the catalogue. */
  get messageKeys(): readonly string[] {
    return Object.keys(this.#source);
  }

  /** The texts of one language from its files; an empty text counts as untranslated and falls back to en-US. */
  textsOf({ tag, pseudo: forTests, made, base, replace = {} }: Source): Texts {
    const kind = forTests ?? made;
    if (kind) {
      return Object.fromEntries(Object.entries(this.#source).map(([key, text]) => [key, pseudo(kind, text)]));
    }
    const translated = Object.entries(base ? this.textsOf({ tag: base }) : {}).map(([key, text]) => [
      key,
      [...text].map((letter) => replace[letter] ?? letter).join(''),
    ]);
    return { ...Object.fromEntries(translated), ...this.#filesOf(tag) };
  }

  /** The text as the catalogue writes it, an ICU message; that of en-US where `locale` has none. */
  messageText(locale: string, key: string): string {
    return this.#offered(this.#rowOf(locale))[key] ?? this.#source[key] ?? key;
  }

  /** What `locale` displays in English, because it has no text of its own for it. */
  englishTexts(locale: string): EnglishTexts {
    const row = this.#rowOf(locale);
    const found = this.#english.get(row.tag) ?? new EnglishTexts(this.#source, this.#offered(row));
    this.#english.set(row.tag, found);
    return found;
  }

  /**
   * The texts of `locale` (a tag of `languageRows`; anything else gives en-US): `t(key, values)` is synchronous and
   * stateless. Keys are `folder.name`, literal in code. A missing key gives the key. Server only: islands get their
   * texts as props (`islandMessages`).
   */
  messages(locale: string): Messages {
    const row = this.#rowOf(locale);
    let found = this.#made.get(row.tag);
    if (!found) {
      const quiet = { silent: true, skipCopy: true };
      this.#instance.addResourceBundle(row.tag, 'all', this.#offered(row), false, false, quiet);
      const fixed = this.#instance.getFixedT(row.tag) as unknown as (key: string, values?: Values) => string;
      const said = this.#remembered(fixed);
      const english = this.englishTexts(row.tag);
      const t: Translate = english.isEmpty ? said : (key, values) => english.passing(key, said(key, values));
      found = { locale: row.tag, formatting: row.formatting, t };
      this.#made.set(row.tag, found);
    }
    return found;
  }

  /** Pages say the same texts over and over: those without values are formatted once. */
  #remembered(format: Translate): Translate {
    const plain = new Map<string, string>();
    return (key, values) => {
      if (values !== undefined) return format(key, values);
      let text = plain.get(key);
      if (text === undefined) {
        text = format(key);
        if (Object.hasOwn(this.#source, key)) plain.set(key, text);
      }
      return text;
    };
  }

  #rowOf(locale: string): LanguageRow {
    return this.languageRows.find(({ tag }) => tag === locale) ?? this.languageRows[0]!;
  }

  #offered(row: LanguageRow): Texts {
    const found = this.#texts.get(row.tag) ?? this.textsOf(row);
    this.#texts.set(row.tag, found);
    return found;
  }

  #filesOf(tag: string): Texts {
    if (!existsSync(`${this.#folder}/${tag}`)) return {};
    const names = readdirSync(`${this.#folder}/${tag}`).filter((name) => name.endsWith('.json'));
    const all: Texts = Object.assign({}, ...names.map((name) => this.#read(`${tag}/${name}`)));
    return Object.fromEntries(Object.entries(all).filter(([, text]) => text !== ''));
  }

  #read(path: string): unknown {
    return JSON.parse(readFileSync(`${this.#folder}/${path}`, 'utf8'));
  }
}

/** Our own i18next instance: the shared one has a "current language", which a server must not have. */
function instanceOf(rows: readonly LanguageRow[], source: Texts): i18n {
  const formatting = new Map(rows.map((row) => [row.tag, row.formatting]));
  const instance = createInstance();
  instance
    .use(
      new ICU({
        parseLngForICU: (tag) => formatting.get(tag) ?? 'en-US',
        parseErrorHandler: (_error, _key, text) => text,
      }),
    )
    .init({
      initAsync: false,
      lng: 'en-US',
      fallbackLng: 'en-US',
      supportedLngs: rows.map(({ tag }) => tag),
      load: 'currentOnly',
      ns: 'all',
      defaultNS: 'all',
      keySeparator: false,
      nsSeparator: false,
      resources: { 'en-US': { all: source } },
    });
  return instance;
}
