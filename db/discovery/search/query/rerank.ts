import { oneEditFromStart, withinOneEdit } from './edit-distance.ts';

/** Number of top results that are reranked. */
export const rerank_window = 200;

/**
 * Bonus in stage 1 for a title with exactly the query's words, in any order: more than a longer title gets for starting
 * with the query. Without the query's stop words it is less: "craft of map" means "Map of Craft" before "Craft Map".
 */
export const same_tokens_bonus = { typed: 10, form: 5 } as const;

/** Bonus for the spaceless title compared with the spaceless query. Source: search §3.3 (Stage 2). */
function titleBonus(title: string, query: string): number {
  if (query === '') return 0;
  const share = Math.min(1, query.length / Math.max(1, title.length));
  let bonus = 0;
  if (title === query) bonus += 10;
  else if (withinOneEdit(query, title) && !query.startsWith(title)) bonus += 7; // one more letter begins the next word
  if (title.startsWith(query)) bonus += 4 + 3 * share;
  else if (oneEditFromStart(query, title)) bonus += 3 + 3 * share;
  else if (title.includes(query)) bonus += 1.5;
  return bonus;
}

/** Share of the bonus for a title that matches the query only without its stop words. */
const form_share = 0.75;

/**
 * The same list, with the title bonus added to the best `rerank_window` and these sorted again; equal ones keep their
 * order. `keys` are the forms of the query, spaceless: as typed, and without stop words.
 */
export function reranked<T extends { title_key: string; score: number }>(
  best: T[],
  [typed = '', ...others]: readonly string[],
): T[] {
  const bonus = ({ title_key }: T) =>
    others.reduce(
      (most, key) => Math.max(most, form_share * titleBonus(title_key, key)),
      titleBonus(title_key, typed),
    );
  const first = best
    .slice(0, rerank_window)
    .map((one) => ({ ...one, score: one.score + bonus(one) }))
    .sort((a, b) => b.score - a.score);
  return [...first, ...best.slice(rerank_window)];
}
