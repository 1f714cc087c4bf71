import type { SearchResult } from '../engine.ts';
import { type Synonym, synonymsOf } from './synonyms.ts';
import { queryTokens } from './tokenize.ts';

/** A word of a query. The last one may be partial. */
export interface TextQuery {
  text: string;
  last: boolean;
  /** What it also finds, after everything that has the word itself. */
  synonyms: readonly Synonym[];
}

/** One interpretation of a text query. */
export interface RelaxedQuery {
  tokens: TextQuery[];
  /** Also match words with one typo. */
  typos: boolean;
  /** Also match words that are joined in the title. */
  joined: boolean;
}

/**
 * Subtracted from the score for every word that only a synonym matches: more than a title can add, so that a synonym
 * never outranks a match of the words themselves.
 */
export const synonym_penalty = 100;
/** Quality of a match by a synonym, among those. */
export const synonym_quality = 0.3;

/** With fewer hits than this, typos are allowed. */
const few_hits = 5;

/** The words of a text query, in order; empty when it has none. */
export function wordsOfQuery(text: string): TextQuery[] {
  const texts = queryTokens(text);
  const synonyms = synonymsOf(texts);
  return texts.map((text, i) => ({ text, last: i === texts.length - 1, synonyms: synonyms[i] ?? [] }));
}

/** The words of a text that the relaxation of its result does not have (`SearchResult.left_out`). */
export function leftOut(text: string, reading: RelaxedQuery | null): Pick<SearchResult, 'left_out'> {
  if (!reading) return {};
  const kept = new Set(reading.tokens.map((word) => word.text));
  const left_out = queryTokens(text).filter((word) => !kept.has(word));
  return left_out.length > 0 ? { left_out } : {};
}

/**
 * The relaxations of a text query, from strict to relaxed; `next(total)` takes the number of matches of the last one
 * and ends when that is enough: strict; below five hits with typos; without any hit with joined words; then without
 * one word, shortest first, three attempts. The relaxation with the most matches is the result. Source: search §3.5.
 */
export const relaxations = (text: string): Generator<RelaxedQuery, void, number> =>
  relaxedWords(wordsOfQuery(text));

/** The same for the words of a query. */
export function* relaxedWords(tokens: TextQuery[]): Generator<RelaxedQuery, void, number> {
  const strict = yield { tokens, typos: false, joined: false };
  if (strict >= few_hits) return;
  const mistyped = yield { tokens, typos: true, joined: false };
  if (strict + mistyped > 0 || tokens.length < 2) return;
  const plain = tokens.map((word) => ({ ...word, synonyms: [] }));
  if ((yield { tokens: plain, typos: true, joined: true }) > 0) return;
  const shortestFirst = [...tokens].sort((a, b) => a.text.length - b.text.length);
  for (const dropped of shortestFirst.slice(0, 3)) {
    const fewer = tokens.filter((word) => word !== dropped);
    if ((yield { tokens: fewer, typos: true, joined: false }) > 0) return;
  }
}
