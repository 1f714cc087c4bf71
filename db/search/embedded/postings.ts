import { type Sections, section } from './sections.ts';
import { Strings } from './string-table.ts';

/** All words of a segment with where they stand: sorted terms, and for each a run of each of two arrays. */
export class Postings {
  readonly terms: Strings;
  /** Postings of titles, joined words and people, those of term t from `firstStart[t]` to `firstStart[t + 1]`. */
  readonly first: Uint32Array;
  readonly firstStart: Uint32Array;
  /** Postings of categories and summaries. */
  readonly second: Uint32Array;
  readonly secondStart: Uint32Array;
  readonly #documents: Uint32Array;
  readonly #rarity: Float32Array;
  #statistics: Statistics;

  constructor(sections: Sections, size: number) {
    this.terms = new Strings(sections, 'terms');
    this.first = section(sections, 'postings.first', Uint32Array);
    this.firstStart = section(sections, 'postings.first_start', Uint32Array);
    this.second = section(sections, 'postings.second', Uint32Array);
    this.secondStart = section(sections, 'postings.second_start', Uint32Array);
    this.#documents = section(sections, 'terms.documents', Uint32Array);
    this.#rarity = new Float32Array(this.terms.length);
    this.#statistics = {
      size,
      documents: (t) => this.#documents[t] as number,
      starting: (text) => this.positionsOfPrefix(text),
    };
  }

  /** How many documents hold `term`. */
  documentsWith(term: string): number {
    const t = this.terms.find(term);
    return t < 0 ? 0 : (this.#documents[t] as number);
  }

  /** Counts words as `base` does, so that scores of a small segment compare with those of the big one. */
  judgeBy(base: Postings, size: number): void {
    this.#statistics = {
      size,
      documents: (t) => base.documentsWith(this.terms.at(t)),
      starting: (text) => base.positionsOfPrefix(text),
    };
    this.#rarity.fill(0);
  }

  /** What the rarity of term `t` multiplies its scores by, computed when first asked. Source: search §3. */
  rarity(t: number): number {
    const known = this.#rarity[t] as number;
    if (known > 0) return known;
    const { size, documents } = this.#statistics;
    const made = rarityOf(size, documents(t));
    this.#rarity[t] = made;
    return made;
  }

  /** The same for an unfinished word, which is as common as all that may finish it. */
  rarityOfPrefix(text: string): number {
    const { size, starting } = this.#statistics;
    return rarityOf(size, starting(text));
  }

  /** How many places hold a term that starts with `text`. */
  positionsOfPrefix(text: string): number {
    return this.cost(...this.terms.startingWith(text));
  }

  /** How many postings the terms from `from` on and below `to` have. */
  cost(from: number, to: number): number {
    const span = (starts: Uint32Array) => (starts[to] as number) - (starts[from] as number);
    return span(this.firstStart) + span(this.secondStart);
  }
}

interface Statistics {
  size: number;
  documents(t: number): number;
  starting(text: string): number;
}

const rarityOf = (size: number, holding: number): number =>
  1 + Math.max(0, Math.log(size / (1 + holding))) / 6;
