import { deletions, withinOneEdit } from '../query/edit-distance.ts';
import { mayBeMistyped } from '../query/tokenize.ts';
import { type Sections, section } from './sections.ts';
import type { Strings } from './string-table.ts';

/**
 * Writes the sorted hashes of the words of titles and people and of their single deletions, each with its term.
 * Source: search §3.4.
 */
export function writeTypos(sections: Sections, terms: readonly string[], tokens: readonly string[]): void {
  const positions = new Map(terms.map((term, i) => [term, i]));
  const pairs: number[] = [];
  for (const word of tokens) {
    if (!mayBeMistyped(word)) continue;
    for (const hash of deletions(word)) pairs.push(positions.get(word) as number, hash);
  }
  // two halves of 64-bit numbers, the hash above: sorting them sorts the pairs
  const packed = Uint32Array.from(pairs);
  new BigUint64Array(packed.buffer).sort();
  sections.set(
    'typos.hashes',
    packed.filter((_, i) => i % 2 === 1),
  );
  sections.set(
    'typos.terms',
    packed.filter((_, i) => i % 2 === 0),
  );
}

/** Terms with edit distance one from a word. */
export class Typos {
  readonly #hashes: Uint32Array;
  readonly #terms: Uint32Array;
  readonly #strings: Strings;

  constructor(sections: Sections, terms: Strings) {
    this.#hashes = section(sections, 'typos.hashes', Uint32Array);
    this.#terms = section(sections, 'typos.terms', Uint32Array);
    this.#strings = terms;
  }

  /** Indices of the terms one insertion, deletion, substitution or transposition away. */
  near(word: string): number[] {
    if (!mayBeMistyped(word)) return [];
    const candidates = new Set<number>();
    for (const signed of deletions(word)) {
      const hash = signed >>> 0;
      for (let i = this.#firstFrom(hash); this.#hashes[i] === hash; i++)
        candidates.add(this.#terms[i] as number);
    }
    return [...candidates].filter((t) => withinOneEdit(word, this.#strings.at(t)));
  }

  #firstFrom(hash: number): number {
    let [low, high] = [0, this.#hashes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#hashes[middle] as number) < hash) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
