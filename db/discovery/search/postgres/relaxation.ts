import type { Fragment } from 'postgres';
import type { Db } from '../../../platform/postgres/sql.ts';
import { leftOut, type RelaxedQuery, relaxations } from '../query/relaxation.ts';
import { reranked } from '../query/rerank.ts';
import { sortedTokens, spaceless, titleForms } from '../query/tokenize.ts';
import {
  behindCandidates,
  byColumn,
  byText,
  candidates,
  type Selection,
  type TextSearch,
  type Window,
} from './statements.ts';
import { allTokens, bySynonyms, joinedTokens, nearTokens } from './text-match.ts';

export const nothing: Window = { ids: [], total: 0, generation: 0 };

/** The words of a relaxation with their possible corrections. */
const withNear = ({ tokens }: RelaxedQuery, near: ReadonlyMap<string, string[]>) =>
  tokens.map((word) => ({ ...word, near: near.get(word.text) ?? [] }));

/** The matches of a relaxation as a condition on projects `d`; `near` has the corrections of each word. */
export function matches(db: Db, reading: RelaxedQuery, near: ReadonlyMap<string, string[]>): Fragment {
  const tokens = withNear(reading, near);
  if (tokens.some(({ synonyms }) => synonyms.length > 0)) return db`(${bySynonyms(db, tokens)})`;
  return db`d.terms @@ ${(reading.joined ? joinedTokens : allTokens)(tokens)}::tsquery`;
}

/** Whether Postgres cancelled a statement because of its timeout. */
export const timedOut = (error: unknown): boolean => (error as { code?: string }).code === '57014';

interface Step {
  reading: RelaxedQuery;
  /** For each word its possible corrections. */
  near: ReadonlyMap<string, string[]>;
  /** The whole text. */
  whole: string;
}

async function step(db: Db, { reading, near, whole }: Step, selection: Selection): Promise<Window> {
  const { sort, offset, limit } = selection;
  const tokens = withNear(reading, near);
  const match = reading.joined ? joinedTokens : allTokens;
  const forms = titleForms(whole);
  const requested: TextSearch = {
    tokens,
    keys: forms.map(spaceless),
    sorted: forms.map(sortedTokens),
    title: match(tokens, true),
    words: match(tokens),
  };
  const text = matches(db, reading, near);
  const where: Fragment = selection.where ? db`${text} and ${selection.where}` : text;
  if (sort !== 'relevance') return await byColumn(db, { ...selection, where });
  if (offset >= candidates) return await behindCandidates(db, where, requested, selection);
  const best = await byText(db, where, requested, offset + limit);
  const { total = 0, generation = 0 } = best[0] ?? {};
  const ids = reranked(best, requested.keys)
    .slice(offset, offset + limit)
    .map(({ project_id }) => project_id);
  const more = offset + limit - candidates;
  if (more <= 0 || total <= candidates) return { ids, total, generation };
  const rest = await behindCandidates(db, where, requested, { offset: candidates, limit: more });
  return { ids: [...ids, ...rest.ids], total, generation };
}

/**
 * Runs query relaxations until one has enough results. `read` runs one under a timeout, with separate timeouts for the
 * strict query and the relaxed ones: when those time out, the result is that of the strict query, marked partial.
 * Source: search §3.5.
 */
export async function relax<T extends { total: number }>(
  text: string,
  selection: Selection,
  read: (reading: (db: Db) => Promise<Window>) => Promise<T>,
): Promise<{ found: T; partial: boolean }> {
  const ladder = relaxations(text);
  const first = ladder.next().value as RelaxedQuery;
  const strict = await read((db) => step(db, { reading: first, near: new Map(), whole: text }, selection));
  const next = ladder.next(strict.total);
  if (next.done) return { found: strict, partial: false };
  try {
    const found = await read((db) => relaxed(db, ladder, next.value, text, selection));
    return { found: found.total > strict.total ? found : strict, partial: false };
  } catch (error) {
    // the strict result is valid; it may only be incomplete
    if (timedOut(error)) return { found: strict, partial: true };
    throw error;
  }
}

async function relaxed(
  db: Db,
  ladder: ReturnType<typeof relaxations>,
  first: RelaxedQuery,
  whole: string,
  selection: Selection,
): Promise<Window> {
  const near = await nearTokens(
    db,
    first.tokens.map(({ text }) => text),
  );
  let best = nothing;
  for (let reading: RelaxedQuery | undefined = first; reading; ) {
    // without corrections this equals the strict query
    const same = !reading.joined && reading.tokens === first.tokens && near.size === 0;
    const found = same ? nothing : await step(db, { reading, near, whole }, selection);
    if (found.total > best.total) best = { ...found, ...leftOut(whole, reading) };
    const next = ladder.next(found.total);
    reading = next.done ? undefined : next.value;
  }
  return best;
}
