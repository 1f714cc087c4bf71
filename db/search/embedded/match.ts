import type { RelaxedQuery, TextQuery } from '../query/relaxation.ts';
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

const weights: ReadonlyArray<readonly [field: number, weight: number]> = [
  [fields.title_first, 12],
  [fields.title, 10],
  [fields.slug, 10],
  [fields.joined, 9],
  [fields.person, 4],
  [fields.category, 3],
  [fields.summary, 1],
];
/** Weight of the best field of a posting. Source: search §3. */
const weightOf = Float32Array.from({ length: 1 << fieldBits }, (_, bits) =>
  weights.reduce((best, [field, weight]) => (bits & field ? Math.max(best, weight) : best), 0),
);

const qualities = { exact: 1, unfinished: 0.75, start: 0.45, typo: 0.45 } as const;
/** Stamps are 32 bits; they restart before they overflow. */
const max_stamps = 0xffff0000;
const allFields = (1 << fieldBits) - 1;

/** Alternative terms for a word, with their quality and fields. */
interface Expansion {
  from: number;
  to: number;
  quality: number;
  fields: number;
  /** Rarity of all of them together; each has its own when absent. */
  rarity?: number;
}

/** Fields in which a prefix is searched: few for short ones. Source: search §3. */
function fieldsOfStart({ length }: string): number {
  if (length < 3) return fields.title_first | fields.title | fields.joined;
  return length < 4 ? firstFields : allFields;
}

function expansionsOf(
  { postings, typos }: Segment,
  { text, last }: TextQuery,
  withTypos: boolean,
): Expansion[] {
  const found: Expansion[] = [];
  const exact = postings.terms.find(text);
  if (exact >= 0) found.push({ from: exact, to: exact + 1, quality: qualities.exact, fields: allFields });
  if (last || text.length >= 3) {
    const [from, to] = postings.terms.startingWith(text);
    const quality = last ? qualities.unfinished : qualities.start;
    // small layers ask the base, so only for terms they have
    if (to > from)
      found.push({ from, to, quality, fields: fieldsOfStart(text), rarity: postings.rarityOfPrefix(text) });
  }
  if (withTypos)
    for (const t of typos.near(text))
      found.push({ from: t, to: t + 1, quality: qualities.typo, fields: allFields });
  return found;
}

const costOf = ({ postings }: Segment, expansions: Expansion[]): number =>
  expansions.reduce((sum, { from, to }) => sum + postings.cost(from, to), 0);

/** Alternatives as words: joined ones are several, any of which may match. */
function choices({ tokens, joined }: RelaxedQuery): TextQuery[][] {
  if (!joined) return [tokens];
  const whole = [{ text: [...tokens.map(({ text }) => text).join('')].slice(0, 40).join(''), last: true }];
  const pairs = tokens.slice(1).map((second, i) => {
    const pair = { text: `${tokens[i]?.text}${second.text}`, last: second.last };
    return [...tokens.slice(0, i), pair, ...tokens.slice(i + 2)];
  });
  return [whole, ...pairs];
}

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
        best.set(document, Math.max(best.get(document) ?? 0, scores[document] as number));
    }
    for (const [document, score] of best) this.#sums[document] = score;
    return { documents: Uint32Array.from(best.keys()), scores: this.#sums };
  }

  #all(tokens: TextQuery[], typos: boolean, within: Bits, budget: Budget): Matched {
    if (this.#stamp > max_stamps) this.#stamp = Number(this.#stamps.fill(0)[0]);
    const rarestFirst = tokens
      .map((word) => expansionsOf(this.#segment, word, typos))
      .map((expansions) => ({ expansions, cost: costOf(this.#segment, expansions) }))
      .sort((a, b) => a.cost - b.cost);
    let matched = this.#list.subarray(0, 0);
    for (const [i, { expansions }] of rarestFirst.entries()) {
      matched = this.#one(expansions, i === 0 ? within : null, budget);
      if (matched.length === 0) break;
      for (const document of matched)
        this.#sums[document] =
          (i === 0 ? 0 : (this.#sums[document] as number)) + (this.#word[document] as number) / tokens.length;
    }
    return { documents: matched, scores: this.#sums };
  }

  /** The documents that contain one word, among `within` or, when null, the matches of the previous word. */
  #one(expansions: Expansion[], within: Bits | null, budget: Budget): Uint32Array {
    const before = this.#stamp;
    const now = ++this.#stamp;
    const { first, firstStart, second, secondStart } = this.#segment.postings;
    // local variables: the loop runs for every posting
    const [stamps, best, list] = [this.#stamps, this.#word, this.#list];
    let length = 0;
    const scan = (postings: Uint32Array, from: number, to: number, factor: number, allowed: number) => {
      for (let at = from; at < to; at++) {
        const posting = postings[at] as number;
        const weight = weightOf[posting & allowed] as number;
        if (weight === 0) continue;
        const document = posting >>> fieldBits;
        const stamp = stamps[document];
        if (stamp === now) {
          if (factor * weight > (best[document] as number)) best[document] = factor * weight;
        } else if (within ? has(within, document) : stamp === before) {
          stamps[document] = now;
          best[document] = factor * weight;
          list[length++] = document;
        }
      }
    };
    for (const { from, to, quality, fields: allowed, rarity } of expansions)
      for (let t = from; t < to; t++) {
        const factor = quality * (rarity ?? this.#segment.postings.rarity(t));
        if (!spend(budget, this.#segment.postings.cost(t, t + 1))) break;
        scan(first, firstStart[t] as number, firstStart[t + 1] as number, factor, allowed);
        if (allowed & ~firstFields)
          scan(second, secondStart[t] as number, secondStart[t + 1] as number, factor, allowed);
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
