import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInstance, type i18n } from 'i18next';
import ICU from 'i18next-icu';
import { refusals } from '#db/errors.ts';
import type { MessageKey } from './keys.ts';
import { type Pseudo, pseudo } from './pseudo.ts';

export type { MessageKey } from './keys.ts';

/**
 * One row of `locales/languages.json`. `formatting` is the tag for `Intl`, because pseudo-locales have no valid one.
 */
export interface LanguageRow {
  tag: string;
  /** Name of the language in that language. */
  name: string;
  /** Search words, lower case and without accents: English name, countries. */
  search: string;
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

const beside = fileURLToPath(new URL('./locales/', import.meta.url));
/** Next to this file, or below the working folder when a bundler has moved the code. */
const folder = existsSync(beside) ? beside : resolve('content/locales');

const read = (path: string): unknown => JSON.parse(readFileSync(`${folder}/${path}`, 'utf8'));

/** Whether developer features are on (pseudo-locales, `/dev/ui`): never in production unless PSEUDO_LOCALES=1. */
export const forDevelopers = process.env.PSEUDO_LOCALES === '1' || process.env.NODE_ENV !== 'production';

/** Every language that this process offers, the default first. */
export const languageRows: readonly LanguageRow[] = (read('languages.json') as LanguageRow[]).filter((row) =>
  row.pseudo ? forDevelopers : row.enabled,
);

type Source = Pick<LanguageRow, 'tag' | 'pseudo' | 'made' | 'base' | 'replace'>;

/** The texts of one language from its files; an empty text counts as untranslated and falls back to en-US. */
export function textsOf({ tag, pseudo: forTests, made, base, replace = {} }: Source): Texts {
  const kind = forTests ?? made;
  if (kind) {
    return Object.fromEntries(Object.entries(source).map(([key, text]) => [key, pseudo(kind, text)]));
  }
  const translated = Object.entries(base ? textsOf({ tag: base }) : {}).map(([key, text]) => [
    key,
    [...text].map((letter) => replace[letter] ?? letter).join(''),
  ]);
  const own_texts = Object.entries(filesOf(tag)).filter(([, text]) => text !== '');
  return Object.fromEntries([...translated, ...own_texts]);
}

function filesOf(tag: string): Texts {
  if (!existsSync(`${folder}/${tag}`)) return {};
  const names = readdirSync(`${folder}/${tag}`).filter((name) => name.endsWith('.json'));
  return Object.assign({}, ...names.map((name) => read(`${tag}/${name}`)));
}

/** The refusal texts of en-US come from `db/errors.ts`, the only source. */
const source: Texts = {
  ...Object.fromEntries(Object.entries(refusals).map(([code, [, text]]) => [`error.${code}`, text])),
  ...textsOf({ tag: 'en-US' }),
};

const formatting = new Map(languageRows.map((row) => [row.tag, row.formatting]));

/** Our own i18next instance: the shared one has a "current language", which a server must not have. */
const instance: i18n = createInstance();
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
    supportedLngs: languageRows.map(({ tag }) => tag),
    load: 'currentOnly',
    ns: 'all',
    defaultNS: 'all',
    keySeparator: false,
    nsSeparator: false,
    resources: Object.fromEntries(
      languageRows.map((row) => [row.tag, { all: row.tag === 'en-US' ? source : textsOf(row) }]),
    ),
  });

/** Every key of the catalogue. */
export const messageKeys: readonly string[] = Object.keys(source);

/** The text as the catalogue writes it, an ICU message; that of en-US where `locale` has none. */
export const messageText = (locale: string, key: string): string =>
  (instance.getResource(locale, 'all', key, { keySeparator: false }) as string | undefined) ??
  source[key] ??
  key;

const made = new Map<string, Messages>();

/**
 * The texts of `locale` (a tag of `languageRows`; anything else gives en-US): `t(key, values)` is synchronous and
 * stateless. Keys are `folder.name`, literal in code. A missing key gives the key. Server only: islands get their
 * texts as props (`islandMessages`).
 */
export function messages(locale: string): Messages {
  const tag = formatting.has(locale) ? locale : 'en-US';
  let found = made.get(tag);
  if (!found) {
    const fixed = instance.getFixedT(tag);
    found = {
      locale: tag,
      formatting: formatting.get(tag)!,
      t: (key, values) => fixed(key as never, values as never) as unknown as string,
    };
    made.set(tag, found);
  }
  return found;
}
