import { type RelaxedQuery, synonym_penalty, synonym_quality, type TextQuery } from '../query/relaxation.ts';
import { type Alternatives, alternativesOf, choices, costOf, type Expansion } from './alternatives.ts';
import { type Bits, has } from './bits.ts';
import type { Segment } from './segment.ts';
import { fieldBits, fields, firstFields } from './terms.ts';

/** Remaining number of postings a query may read, over all its relaxations and layers. Source: search §5 (work). */
export interface Budget {
  postings: number;
  /** Whether the result is truncated. */
  cut: boolean;
}
export const newBudget = (): Budget => ({ postings: 3_000_000, cut: false });

/** Matching documents and their word scores: index by document. */
export interface Matched {
  documents: Uint32Array;
  scores: Float64Array;
}

const category_weight = 3;
const weights: ReadonlyArray<readonly [field: number, weight: number]> = [
  [fields.title_first, 12],
  [fields.title, 10],
  [fields.slug, 10],
  [fields.joined, 9],
  [fields.person, 4],
  [fields.category, category_weight],
  [fields.summary, 1],
];
/** Weight of the best field of a posting. Source: search §3. */
const weightOf = Float32Array.from({ length: 1 << fieldBits }, (_, bits) =>
  weights.reduce((best, [field, weight]) => (bits & field ? Math.max(best, weight) : best), 0),
);

/** Stamps are 32 bits; they restart before they overflow. */
const max_stamps = 0xffff0000;

/** Finds documents by words. Has reusable working memory of the size of its segment. */
export class Matcher {
  readonly #segment: Segment;
  readonly #stamps: Uint32Array;
  readonly #word: Float64Array;
  readonly #sums: Float64Array;
  readonly #list: Uint32Array;
  #stamp = 0;

  constructor(segment: Segment) {
    this.#segment = segment;
    this.#stamps = new Uint32Array(segment.size);
    this.#word = new Float64Array(segment.size);
    this.#sums = new Float64Array(segment.size);
    this.#list = new Uint32Array(segment.size);
  }

  /**
   * The documents of `within` that contain every word of a relaxation, in any field, with the mean of their word
   * scores. The result is valid until the next call.
   */
  match(reading: RelaxedQuery, within: Bits, budget: Budget): Matched {
    const [first, ...others] = choices(reading).map(
      (tokens) => () => this.#all(tokens, reading.typos, within, budget),
    );
    const found = first?.() ?? { documents: this.#list.subarray(0, 0), scores: this.#sums };
    if (others.length === 0) return found;
    const best = new Map(
      [...found.documents].map((document) => [document, found.scores[document] as number]),
    );
    for (const other of others) {
      const { documents, scores } = other();
      for (const document of documents)
        best.set(document, Math.max(best.get(document) ?? -Infinity, scores[document] as number));
    }
    for (const [document, score] of best) this.#sums[document] = score;
    return { documents: Uint32Array.from(best.keys()), scores: this.#sums };
  }

  #all(tokens: TextQuery[], typos: boolean, within: Bits, budget: Budget): Matched {
    if (this.#stamp > max_stamps) this.#stamp = Number(this.#stamps.fill(0)[0]);
    const rarestFirst = tokens
      .map((word) => alternativesOf(this.#segment, word, typos))
      .map((alternatives) => ({ alternatives, cost: costOf(this.#segment, alternatives) }))
      .sort((a, b) => a.cost - b.cost);
    // the score is the mean over the words
    const penalty = synonym_penalty * tokens.length;
    let matched = this.#list.subarray(0, 0);
    for (const [i, { alternatives }] of rarestFirst.entries()) {
      matched = this.#one(alternatives, i === 0 ? within : null, penalty, budget);
      if (matched.length === 0) break;
      for (const document of matched)
        this.#sums[document] =
          (i === 0 ? 0 : (this.#sums[document] as number)) + (this.#word[document] as number) / tokens.length;
    }
    return { documents: matched, scores: this.#sums };
  }

  /** The documents that contain one word, among `within` or, when null, the matches of the previous word. */
  #one(
    { terms, synonyms, tagged }: Alternatives,
    within: Bits | null,
    penalty: number,
    budget: Budget,
  ): Uint32Array {
    const before = this.#stamp;
    const now = ++this.#stamp;
    const { first, firstStart, second, secondStart } = this.#segment.postings;
    // local variables: the loop runs for every posting
    const [stamps, best, list] = [this.#stamps, this.#word, this.#list];
    let length = 0;
    const scan = (
      postings: Uint32Array,
      from: number,
      to: number,
      { factor, minus, allowed }: { factor: number; minus: number; allowed: number },
    ) => {
      for (let at = from; at < to; at++) {
        const posting = postings[at] as number;
        const weight = weightOf[posting & allowed] as number;
        if (weight === 0) continue;
        const document = posting >>> fieldBits;
        const score = factor * weight - minus;
        const stamp = stamps[document];
        if (stamp === now) {
          if (score > (best[document] as number)) best[document] = score;
        } else if (within ? has(within, document) : stamp === before) {
          stamps[document] = now;
          best[document] = score;
          list[length++] = document;
        }
      }
    };
    const scanAll = (expansions: Expansion[], minus: number) => {
      for (const { from, to, quality, fields: allowed, rarity } of expansions)
        for (let t = from; t < to; t++) {
          const factor = quality * (rarity ?? this.#segment.postings.rarity(t));
          if (!spend(budget, this.#segment.postings.cost(t, t + 1))) break;
          const how = { factor, minus, allowed };
          scan(first, firstStart[t] as number, firstStart[t + 1] as number, how);
          if (allowed & ~firstFields)
            scan(second, secondStart[t] as number, secondStart[t + 1] as number, how);
        }
    };
    scanAll(terms, 0);
    if (synonyms.length > 0) scanAll(synonyms, penalty);
    for (const members of tagged) {
      if (!spend(budget, members.size)) break;
      members.each((document) => {
        // only what the word itself or another word did not match
        const fits = within ? has(within, document) : stamps[document] === before;
        if (stamps[document] === now || !fits) return;
        stamps[document] = now;
        best[document] = synonym_quality * category_weight - penalty;
        list[length++] = document;
      });
    }
    return this.#list.subarray(0, length);
  }
}

/** Takes `postings` from the budget; false, and marked as truncated, when it is used up. */
function spend(budget: Budget, postings: number): boolean {
  budget.postings -= postings;
  if (budget.postings >= 0) return true;
  budget.cut = true;
  return false;
}
