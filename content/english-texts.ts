import { LRUCache } from 'lru-cache';

/** What is compared: letters and digits, without the signs around them, which markup may add. */
const core = (text: string): string =>
  text.replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '');

/**
 * The texts of a language that are English, because their translation is missing: all without values, and the latest
 * ones with values that were filled in. By them `markEnglish` finds what a page says in English.
 */
export class EnglishTexts {
  /** The keys without a translation. */
  readonly lacking: ReadonlySet<string>;
  readonly #plain: ReadonlySet<string>;
  readonly #withValues: ReadonlySet<string>;
  readonly #filled = new LRUCache<string, true>({ max: 5_000 });

  /** `english`: all ICU messages of en-US by their keys; `translated`: those of the language. */
  constructor(english: Readonly<Record<string, string>>, translated: Readonly<Record<string, string>>) {
    const lacking = Object.keys(english).filter((key) => !Object.hasOwn(translated, key));
    this.lacking = new Set(lacking);
    // a word that both languages write alike is no English one
    const own = new Set(lacking.length > 0 ? Object.values(translated).map(core) : []);
    const hasValues = (key: string): boolean => english[key]!.includes('{');
    this.#withValues = new Set(lacking.filter(hasValues));
    const plain = lacking.filter((key) => !hasValues(key));
    this.#plain = new Set(
      plain.map((key) => core(english[key]!.replaceAll("''", "'"))).filter((text) => !own.has(text)),
    );
  }

  get isEmpty(): boolean {
    return this.lacking.size === 0;
  }

  /** Returns `text`, the message of `key` with its values, and remembers it if it is English. */
  passing(key: string, text: string): string {
    if (this.#withValues.has(key)) this.#filled.set(core(text), true);
    return text;
  }

  /** Whether `text` is one of them; signs around it do not count. */
  has(text: string): boolean {
    const inner = core(text);
    return inner !== '' && (this.#plain.has(inner) || this.#filled.has(inner));
  }
}
