import { hash } from '../query/edit-distance.ts';
import { sortedTokens, spaceless, tokens } from '../query/tokenize.ts';
import { type Sections, section } from './sections.ts';
import { Strings, writeStrings } from './string-table.ts';

export function writeTitles(sections: Sections, titles: readonly string[]): void {
  const keys = titles.map(spaceless);
  writeStrings(sections, 'titles.keys', keys);
  sections.set('titles.hashes', Int32Array.from(keys, hash));
  sections.set(
    'titles.sorted_hashes',
    Int32Array.from(titles, (title) => hash(sortedTokens(title))),
  );
  sections.set(
    'titles.words',
    Uint16Array.from(titles, (title) => Math.max(1, tokens(title).length)),
  );
}

/** Titles without spaces, for comparison with queries. */
export class Titles {
  readonly keys: Strings;
  /** Number of words of each title, at least 1. */
  readonly tokens: Uint16Array;
  readonly #hashes: Int32Array;
  readonly #sortedHashes: Int32Array;

  constructor(sections: Sections) {
    this.keys = new Strings(sections, 'titles.keys');
    this.tokens = section(sections, 'titles.words', Uint16Array);
    this.#hashes = section(sections, 'titles.hashes', Int32Array);
    this.#sortedHashes = section(sections, 'titles.sorted_hashes', Int32Array);
  }

  /** A test whether the title of a document is one of `keys`. */
  equal(keys: readonly string[]): (document: number) => boolean {
    const [first = 0, ...others] = keys.map(hash);
    return (document) => {
      const title = this.#hashes[document] as number;
      return (title === first || others.includes(title)) && keys.includes(this.keys.at(document));
    };
  }

  /**
   * What the title of a document gets for exactly the words of one of the texts, in any order: of the first one (`typed`) or
   * of another. Compares only hashes, because all tested documents contain these words.
   */
  sameTokens(texts: readonly string[], bonus: { typed: number; form: number }): (document: number) => number {
    const [first = 0, ...others] = texts.map((text) => hash(sortedTokens(text)));
    return (document) => {
      const title = this.#sortedHashes[document] as number;
      if (title === first) return bonus.typed;
      return others.includes(title) ? bonus.form : 0;
    };
  }
}
