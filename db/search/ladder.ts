import { queryWords } from './tokenize.ts';

/** A word of a query. The last one may be unfinished. */
export interface Asked {
  text: string;
  last: boolean;
}

/** One way to understand a text. */
export interface Reading {
  words: Asked[];
  /** Words one edit away count too. */
  typos: boolean;
  /** Words may have been written together in the title. */
  joined: boolean;
}

/** Fewer hits than this, and mistypings are looked for. */
const fewHits = 5;

/**
 * The readings of a text from strict to free; `next(total)` says how many projects the last one found, and ends it
 * when that is enough: strict; below five hits with mistypings; without any hit the words joined; then without one
 * word, shortest first, three tries. The reading that found most is the answer. Source: search §3, Ladder.
 */
export function* readings(text: string): Generator<Reading, void, number> {
  const texts = queryWords(text);
  const words = texts.map((word, i) => ({ text: word, last: i === texts.length - 1 }));
  const strict = yield { words, typos: false, joined: false };
  if (strict >= fewHits) return;
  const mistyped = yield { words, typos: true, joined: false };
  if (strict + mistyped > 0 || words.length < 2) return;
  if ((yield { words, typos: true, joined: true }) > 0) return;
  const shortestFirst = [...words].sort((a, b) => a.text.length - b.text.length);
  for (const dropped of shortestFirst.slice(0, 3)) {
    const fewer = words.filter((word) => word !== dropped);
    if ((yield { words: fewer, typos: true, joined: false }) > 0) return;
  }
}
