import { queryTokens } from './tokenize.ts';

/** A word of a query. The last one may be partial. */
export interface TextQuery {
  text: string;
  last: boolean;
}

/** One interpretation of a text query. */
export interface RelaxedQuery {
  tokens: TextQuery[];
  /** Also match words with one typo. */
  typos: boolean;
  /** Also match words that are joined in the title. */
  joined: boolean;
}

/** With fewer hits than this, typos are allowed. */
const few_hits = 5;

/**
 * The relaxations of a text query, from strict to relaxed; `next(total)` takes the number of matches of the last one
 * and ends when that is enough: strict; below five hits with typos; without any hit with joined words; then without
 * one word, shortest first, three attempts. The relaxation with the most matches is the result. Source: search §3.5.
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
