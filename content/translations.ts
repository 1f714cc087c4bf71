import { createHash } from 'node:crypto';
import { IntlMessageFormat } from 'intl-messageformat';

type Element = ReturnType<NonNullable<typeof IntlMessageFormat.__parse>>[number];
type Texts = Readonly<Record<string, string>>;

/** How the texts of a language stand to those of en-US. */
export interface TranslationState {
  /** Keys without a translation: en-US is displayed. */
  lacking: string[];
  /** Translations that nothing can use, and why. */
  unusable: Array<{ key: string; reason: string }>;
  /** Translations of an English text that has changed since. */
  outdated: string[];
  /** Translations of which nothing says what they were made from. */
  unrecorded: string[];
}

/** What is stored of the English text that a translation was made from. */
export const sourceHash = (english: string): string =>
  createHash('sha256').update(english).digest('hex').slice(0, 8);

/**
 * How `translated` stands to `english`; `sources`: by its key, the hash of the English text that a translation was made
 * from. `argumentsIn`: what a translation must have in common with its source.
 */
export function translationState(
  { english, translated, sources }: Readonly<Record<'english' | 'translated' | 'sources', Texts>>,
  argumentsIn: (text: string) => readonly string[],
): TranslationState {
  const keys = Object.keys(translated).filter((key) => translated[key] !== '');
  const unusable = keys.flatMap((key) => {
    const reason = whyUnusable(english[key], translated[key]!, argumentsIn);
    return reason === null ? [] : [{ key, reason }];
  });
  const refused = new Set(unusable.map(({ key }) => key));
  const usable = keys.filter((key) => !refused.has(key));
  const isCurrent = (key: string): boolean => sources[key] === sourceHash(english[key]!);
  return {
    lacking: Object.keys(english).filter((key) => !translated[key] || refused.has(key)),
    unusable,
    outdated: usable.filter((key) => Object.hasOwn(sources, key) && !isCurrent(key)),
    unrecorded: usable.filter((key) => !Object.hasOwn(sources, key)),
  };
}

function whyUnusable(
  english: string | undefined,
  translated: string,
  argumentsIn: (text: string) => readonly string[],
): string | null {
  if (english === undefined) return 'en-US has no such text';
  const [expected, found] = [argumentsIn(english), argumentsIn(translated)];
  return String(expected) === String(found)
    ? null
    : `its arguments are ${listed(found)}; those of en-US are ${listed(expected)}`;
}

const listed = (names: readonly string[]): string => names.join(', ') || 'none';

export const parseMessage = (text: string): Element[] =>
  IntlMessageFormat.__parse!(text, { ignoreTag: true });

/** The arguments of an ICU message, each once: their names, with the kind of choices. */
export const argumentsOf = (text: string): string[] => [...new Set(requested(parseMessage(text)))].sort();

function requested(elements: readonly Element[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === 0 || element.type === 7) return [];
    if (element.type === 8) return requested(element.children);
    if (element.type !== 5 && element.type !== 6) return [element.value];
    const kind = element.type === 5 ? 'select' : element.pluralType;
    const inside = Object.values(element.options).flatMap(({ value }) => requested(value));
    return [`${element.value} (${kind})`, ...inside];
  });
}
