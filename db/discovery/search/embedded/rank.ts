import { rerank_window, reranked, same_tokens_bonus } from '../query/rerank.ts';
import { spaceless, titleForms } from '../query/tokenize.ts';
import { selected } from './bits.ts';
import type { Matched } from './match.ts';
import type { Segment } from './segment.ts';
import { orderBy, type SortKey } from './sort-orders.ts';

/** A document in a sort order, with its sort key. */
export interface RankedHit {
  document: number;
  key: number;
}

/** The best `count` of `documents` in `order`, sorted; reorders `documents`. */
export function best(documents: Uint32Array, order: SortKey, count: number): Uint32Array {
  if (count < documents.length) partition(documents, order, count);
  return documents.subarray(0, Math.min(count, documents.length)).sort(order);
}

/** Moves the first `count` of an order to the front, unsorted (quickselect). */
function partition(documents: Uint32Array, order: SortKey, count: number): void {
  let [low, high] = [0, documents.length - 1];
  while (low < high) {
    const pivot = documents[(low + high) >>> 1] as number;
    let [i, j] = [low, high];
    while (i <= j) {
      while (order(documents[i] as number, pivot) < 0) i++;
      while (order(documents[j] as number, pivot) > 0) j--;
      if (i > j) break;
      const top = documents[i] as number;
      documents[i++] = documents[j] as number;
      documents[j--] = top;
    }
    if (count - 1 <= j) high = j;
    else if (count - 1 >= i) low = i;
    else return;
  }
}

/**
 * The best `upTo` text matches: by words, title and popularity, with the first 200 reranked by title. Matches by
 * synonym have negative scores and come last: they are left out if there are enough others. Source: search §3.3.
 */
export function ranked(
  { columns, titles, ids }: Segment,
  { documents: all, scores }: Matched,
  { text, words: tokens, upTo }: { text: string; words: number; upTo: number },
): RankedHit[] {
  const needed = Math.max(rerank_window, upTo);
  const worded = selected(all, (document) => (scores[document] as number) >= 0);
  const documents = worded.length >= needed ? worded : all;
  const forms = titleForms(text);
  const keys = forms.map(spaceless);
  const isTitle = titles.equal(keys);
  const tokensBonus = titles.sameTokens(forms, same_tokens_bonus);
  for (const document of documents)
    scores[document] =
      (scores[document] as number) * (isTitle(document) ? 2 : 1) +
      tokensBonus(document) +
      2 * Math.min(1, tokens / (titles.tokens[document] as number)) +
      (columns.popularity[document] as number);
  const first = best(documents, orderBy(scores, columns, ids), needed);
  const known = [...first.subarray(0, needed)].map((document, i) => ({
    document,
    score: scores[document] as number,
    title_key: i < rerank_window ? titles.keys.at(document) : '',
  }));
  return reranked(known, keys)
    .slice(0, upTo)
    .map(({ document, score }) => ({ document, key: score }));
}
