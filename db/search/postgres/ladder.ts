import type { Fragment } from 'postgres';
import type { Db } from '../../sql.ts';
import { looked } from '../ranking.ts';
import { queryWords, spaceless } from '../tokenize.ts';
import {
  type Asked,
  behindCandidates,
  byColumn,
  byWords,
  candidates,
  type Selection,
  type Window,
} from './statements.ts';
import { allWords, joinedWords, type Word, withTypos } from './words.ts';

export const nothing: Window = { ids: [], total: 0, generation: 0 };

/** Whether Postgres stopped a statement for taking too long. */
export const timedOut = (error: unknown): boolean => (error as { code?: string }).code === '57014';

/** Fewer hits than this, and mistypings are looked for. */
const fewHits = 5;

async function step(db: Db, tsquery: string, asked: Asked, selection: Selection): Promise<Window> {
  const { sort, offset, limit } = selection;
  const text = db`d.terms @@ ${tsquery}::tsquery`;
  const where: Fragment = selection.where ? db`${text} and ${selection.where}` : text;
  if (sort !== 'relevance') return await byColumn(db, { ...selection, where });
  if (offset >= candidates) return await behindCandidates(db, where, asked, selection);
  const best = await byWords(db, where, asked, offset + limit);
  const { total = 0, generation = 0 } = best[0] ?? {};
  const ids = looked(best, asked.key)
    .slice(offset, offset + limit)
    .map(({ project_id }) => project_id);
  const more = offset + limit - candidates;
  if (more <= 0 || total <= candidates) return { ids, total, generation };
  const rest = await behindCandidates(db, where, asked, { offset: candidates, limit: more });
  return { ids: [...ids, ...rest.ids], total, generation };
}

const askedWith = (words: Word[], key: string): Asked => ({ words, key, title: allWords(words, true) });

/** The words without one, shortest first; three tries. */
const withoutOne = (words: Word[]): Word[][] =>
  words.length < 2
    ? []
    : [...words]
        .sort((a, b) => a.text.length - b.text.length)
        .slice(0, 3)
        .map((dropped) => words.filter((word) => word !== dropped));

/**
 * Climbs from the strict reading of a text to freer ones: strict; below five hits with mistypings; without any hit
 * the words joined; then one word dropped. `read` runs a reading within a bound on time, the strict one and the freer
 * ones apart: when the second takes too long the answer is what the first found, marked partial.
 * Source: search §3, Ladder.
 */
export async function climb<T extends { total: number }>(
  text: string,
  selection: Selection,
  read: (reading: (db: Db) => Promise<Window>) => Promise<T>,
): Promise<{ found: T; partial: boolean }> {
  const texts = queryWords(text);
  const key = spaceless(text);
  const plain = texts.map((word, i) => ({ text: word, last: i === texts.length - 1, near: [] }));
  const strict = await read((db) => step(db, allWords(plain), askedWith(plain, key), selection));
  if (strict.total >= fewHits) return { found: strict, partial: false };
  try {
    const found = await read((db) => freer(db, plain, key, selection, strict.total));
    return { found: found.total > strict.total ? found : strict, partial: false };
  } catch (error) {
    // the strict reading stands; only its being all there is cannot be promised
    if (timedOut(error)) return { found: strict, partial: true };
    throw error;
  }
}

async function freer(
  db: Db,
  plain: Word[],
  key: string,
  selection: Selection,
  strict: number,
): Promise<Window> {
  const words = await withTypos(db, plain);
  if (words.some(({ near }) => near.length > 0)) {
    const found = await step(db, allWords(words), askedWith(words, key), selection);
    if (found.total > 0) return found;
  }
  if (strict > 0) return nothing;
  if (words.length > 1) {
    const asked = { ...askedWith(words, key), title: joinedWords(plain, true) };
    const found = await step(db, joinedWords(words), asked, selection);
    if (found.total > 0) return found;
  }
  for (const fewer of withoutOne(words)) {
    const found = await step(db, allWords(fewer), askedWith(fewer, key), selection);
    if (found.total > 0) return found;
  }
  return nothing;
}
