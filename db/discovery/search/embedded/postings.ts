import { type Sections, section } from './sections.ts';
import { Strings } from './string-table.ts';

/** Inverted index of a segment: sorted terms, each with a range in two postings arrays. */
export class Postings {
  readonly terms: Strings;
  /** Postings of titles, joined words and people; those of term t from `firstStart[t]` to `firstStart[t + 1]`. */
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

  /** Number of documents that contain `term`. */
  documentsWith(term: string): number {
    const t = this.terms.find(term);
    return t < 0 ? 0 : (this.#documents[t] as number);
  }

  /**
   * Uses the term frequencies of `base`, so that scores of a small segment are comparable with those of the big one.
   */
  judgeBy(base: Postings, size: number): void {
    this.#statistics = {
      size,
      documents: (t) => base.documentsWith(this.terms.at(t)),
      starting: (text) => base.positionsOfPrefix(text),
    };
    this.#rarity.fill(0);
  }

  /** Inverse document frequency of term `t`, computed on first use. Source: search §3. */
  rarity(t: number): number {
    const known = this.#rarity[t] as number;
    if (known > 0) return known;
    const { size, documents } = this.#statistics;
    const made = rarityOf(size, documents(t));
    this.#rarity[t] = made;
    return made;
  }

  /** The same for a partial word, which is as common as all its completions together. */
  rarityOfPrefix(text: string): number {
    const { size, starting } = this.#statistics;
    return rarityOf(size, starting(text));
  }

  /** Number of postings of terms that start with `text`. */
  positionsOfPrefix(text: string): number {
    return this.cost(...this.terms.startingWith(text));
  }

  /** Number of postings of the terms from `from` on and below `to`. */
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
