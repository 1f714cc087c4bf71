import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import { deletionsOfNeighbours, editsBetween } from '../query/edit-distance.ts';
import { mayBeMistyped, queryTokens } from '../query/tokenize.ts';
import { timedOut } from './relaxation.ts';
import { bounded } from './statements.ts';

const timeout_ms = 300;
const max_words = 3;
/** Words that share a hash, the most are compared. */
const max_candidates = 2_000;
/** From this length on two letters may be wrong; what is shorter is another word then. */
const min_two_edits = 6;

/** Mistyped words mostly have their first letter. */
const begins = (term: string, word: string): number => Number(term[0] === word[0]);

/**
 * The text with each of its words that no title and no person has replaced by the nearest one that some have: within two edits
 * from six letters on, one from four. Null when no word has any, and when it takes longer than 0.3 s. For searches that find
 * nothing or leave words out. Reads the words that Postgres keeps beside any other engine.
 */
export async function nearestText(sql: Pool, text: string): Promise<string | null> {
  const words = queryTokens(text);
  const nearest = new Map<string, string>();
  try {
    const read = async (db: Db) => {
      for (const word of words.filter(mayBeMistyped).slice(0, max_words)) {
        const most = word.length < min_two_edits ? 1 : 2;
        const rows = await db<Array<{ term: string }>>`
          select term from search_terms where deletions && ${deletionsOfNeighbours(word)}::int[]
            and length(term) between ${word.length - most} and ${word.length + most} limit ${max_candidates}`;
        const best = rows
          .map(({ term }) => ({ term, edits: editsBetween(word, term) }))
          .sort(
            (a, b) =>
              a.edits - b.edits || begins(b.term, word) - begins(a.term, word) || (a.term < b.term ? -1 : 1),
          )[0];
        if (best && best.edits > 0 && best.edits <= most) nearest.set(word, best.term);
      }
    };
    await bounded(sql, read, timeout_ms);
  } catch (error) {
    if (!timedOut(error)) throw error;
    return null;
  }
  return nearest.size === 0 ? null : words.map((word) => nearest.get(word) ?? word).join(' ');
}
