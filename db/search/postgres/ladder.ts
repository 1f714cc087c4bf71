import type { Fragment } from 'postgres';
import type { Db } from '../../sql.ts';
import { type Reading, readings } from '../ladder.ts';
import { looked } from '../ranking.ts';
import { spaceless } from '../tokenize.ts';
import {
  type Asked,
  behindCandidates,
  byColumn,
  byWords,
  candidates,
  type Selection,
  type Window,
} from './statements.ts';
import { allWords, joinedWords, nearWords } from './words.ts';

export const nothing: Window = { ids: [], total: 0, generation: 0 };

/** Whether Postgres stopped a statement for taking too long. */
export const timedOut = (error: unknown): boolean => (error as { code?: string }).code === '57014';

interface Step {
  reading: Reading;
  /** For each word what it may have been meant to be. */
  near: ReadonlyMap<string, string[]>;
  /** The text without spaces. */
  key: string;
}

async function step(db: Db, { reading, near, key }: Step, selection: Selection): Promise<Window> {
  const { sort, offset, limit } = selection;
  const words = reading.words.map((word) => ({ ...word, near: near.get(word.text) ?? [] }));
  const match = reading.joined ? joinedWords : allWords;
  const tsquery = match(words);
  const asked: Asked = { words, key, title: match(words, true) };
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

/**
 * Asks for the readings of a text until one is enough. `read` runs a reading within a bound on time, the strict one
 * and the freer ones apart: when the second takes too long the answer is what the first found, marked partial.
 * Source: search §3, Ladder.
 */
export async function climb<T extends { total: number }>(
  text: string,
  selection: Selection,
  read: (reading: (db: Db) => Promise<Window>) => Promise<T>,
): Promise<{ found: T; partial: boolean }> {
  const ladder = readings(text);
  const key = spaceless(text);
  const first = ladder.next().value as Reading;
  const strict = await read((db) => step(db, { reading: first, near: new Map(), key }, selection));
  const next = ladder.next(strict.total);
  if (next.done) return { found: strict, partial: false };
  try {
    const found = await read((db) => freer(db, ladder, next.value, key, selection));
    return { found: found.total > strict.total ? found : strict, partial: false };
  } catch (error) {
    // the strict reading stands; only its being all there is cannot be promised
    if (timedOut(error)) return { found: strict, partial: true };
    throw error;
  }
}

async function freer(
  db: Db,
  ladder: ReturnType<typeof readings>,
  first: Reading,
  key: string,
  selection: Selection,
): Promise<Window> {
  const near = await nearWords(
    db,
    first.words.map(({ text }) => text),
  );
  let best = nothing;
  for (let reading: Reading | undefined = first; reading; ) {
    // without any mistyped word this is the strict reading again
    const same = !reading.joined && reading.words === first.words && near.size === 0;
    const found = same ? nothing : await step(db, { reading, near, key }, selection);
    if (found.total > best.total) best = found;
    const next = ladder.next(found.total);
    reading = next.done ? undefined : next.value;
  }
  return best;
}
