import { match } from '@formatjs/intl-localematcher';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { type LanguageRow, languageRows } from '#content/messages.ts';

export type Language = LanguageRow;

/** The languages that visitors can choose from, the default first. Rows are in content/locales/languages.json. */
export const languages: readonly Language[] = languageRows;

export const defaultLanguage: Language = languages[0]!;

const byTag = new Map(languages.map((language) => [language.tag.toLowerCase(), language]));

/**
 * Languages that are matched with Accept-Language and offered to search engines; test and joke languages match their
 * exact tag only.
 */
export const spoken: readonly Language[] = languages.filter(
  ({ pseudo, group }) => !pseudo && group !== 'fun',
);
const real = spoken.map(({ tag }) => tag);
const nothing = 'zxx';

/** The language of a tag, case-insensitive; null when it is not offered. */
export const languageOf = (tag: string): Language | null => byTag.get(tag.toLowerCase()) ?? null;

const matched = new LRUCache<string, Language | typeof nothing>({ max: 1000 });

function bestFor(requested: readonly string[]): Language | null {
  const key = requested.join();
  let found = matched.get(key);
  if (!found) {
    found = languageOf(match(requested.filter(isTag), real, nothing)) ?? nothing;
    matched.set(key, found);
  }
  return found === nothing ? null : found;
}

function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/**
 * Whether a match is the same language: a browser preference may fall back to a related one, a tag requested by name may
 * only differ in region.
 */
const speaks = ({ tag }: Language, text: string): boolean =>
  new Intl.Locale(tag).language === new Intl.Locale(text).language;

const max_tag = 35;

/** The language that a value names; null without one. */
function namedBy(text: string | null | undefined): Language | null {
  if (!text || text.length > max_tag) return null;
  const found = languageOf(text) ?? bestFor([text]);
  return found && speaks(found, text) ? found : null;
}

const undefinedLocales = new LRUCache<string, true>({ max: 200 });

/** The first of these values that names no language that is offered, once for each value: for the log. */
export function newUndefinedLocale(...sent: Array<string | null | undefined>): string | null {
  const text = sent.find((one) => one && namedBy(one) === null)?.slice(0, max_tag);
  if (!text || undefinedLocales.has(text)) return null;
  undefinedLocales.set(text, true);
  return text;
}

/**
 * The language of a page: the `hl` query value, else the `locale` cookie, else Accept-Language, else en-US. Values
 * without a match are skipped. Never throws, whatever the client sent. Source: specification §4.
 */
export function negotiate(sent: {
  hl?: string | null | undefined;
  cookie?: string | null | undefined;
  accept?: string | null | undefined;
}): Language {
  const named = namedBy(sent.hl) ?? namedBy(sent.cookie);
  if (named) return named;
  return sent.accept ? preferred(sent.accept.slice(0, 500)) : defaultLanguage;
}

const headers = new LRUCache<string, Language>({ max: 1000 });

/** The language for an Accept-Language header, cached: browsers send few different values. */
function preferred(accept: string): Language {
  let found = headers.get(accept);
  if (!found) {
    const requested = new Negotiator({ headers: { 'accept-language': accept } }).languages();
    found = bestFor(requested.slice(0, 20)) ?? defaultLanguage;
    headers.set(accept, found);
  }
  return found;
}
