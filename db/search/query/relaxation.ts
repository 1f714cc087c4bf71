import { queryTokens } from './tokenize.ts';

/** A word of a query. The last one may be unfinished. */
export interface TextQuery {
  text: string;
  last: boolean;
}

/** One way to understand a text. */
export interface RelaxedQuery {
  tokens: TextQuery[];
  /** Words one edit away count too. */
  typos: boolean;
  /** Words may have been written together in the title. */
  joined: boolean;
}

/** Fewer hits than this, and mistypings are looked for. */
const few_hits = 5;

/**
 * The readings of a text from strict to free; `next(total)` says how many projects the last one found, and ends it
 * when that is enough: strict; below five hits with mistypings; without any hit the words joined; then without one
 * word, shortest first, three tries. The reading that found most is the answer. Source: search §3.5.
 */
export function* relaxations(text: string): Generator<RelaxedQuery, void, number> {
  const texts = queryTokens(text);
  const tokens = texts.map((word, i) => ({ text: word, last: i === texts.length - 1 }));
  const strict = yield { tokens, typos: false, joined: false };
  if (strict >= few_hits) return;
  const mistyped = yield { tokens, typos: true, joined: false };
  if (strict + mistyped > 0 || tokens.length < 2) return;
  if ((yield { tokens, typos: true, joined: true }) > 0) return;
  const shortestFirst = [...tokens].sort((a, b) => a.text.length - b.text.length);
  for (const dropped of shortestFirst.slice(0, 3)) {
    const fewer = tokens.filter((word) => word !== dropped);
    if ((yield { tokens: fewer, typos: true, joined: false }) > 0) return;
  }
}
