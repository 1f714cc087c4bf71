import type { Fragment } from 'postgres';
import type { Db } from '../../../platform/postgres/sql.ts';
import { deletions, withinOneEdit } from '../query/edit-distance.ts';
import { synonym_penalty, synonym_quality, type TextQuery } from '../query/relaxation.ts';
import { isTag } from '../query/synonyms.ts';
import { mayBeMistyped } from '../query/tokenize.ts';
import { written } from './filter.ts';

/** One word of a query and its alternatives. */
export interface QueryToken extends TextQuery {
  /** Indexed words within edit distance one. */
  near: string[];
}

/** Short prefixes are searched in few fields: 1-2 letters in titles, 3 also in names, 4 and more everywhere. */
const fieldsOfStart = (text: string): string => (text.length < 3 ? 'AB' : text.length < 4 ? 'ABC' : '');

const quoted = (term: string): string => `'${term}'`;
/** Other words that a word also finds, as alternatives of a tsquery. */
const otherWords = ({ synonyms }: QueryToken): string[] =>
  synonyms.flatMap((one) => (isTag(one) ? [] : [quoted(one.word)]));
/** Tags that a word also finds, as they stand in the keys of a project. */
const tagsOf = ({ synonyms }: QueryToken): string[] =>
  synonyms.filter(isTag).map(({ key, value }) => written({ key, op: '=', value }));

const startsCount = ({ text, last }: QueryToken): boolean => last || text.length >= 3;

/** The tsquery of a word. `title` restricts it to titles, slugs and joined words. */
function anyOf(word: QueryToken, title: boolean): string {
  const here = title ? ':AB' : '';
  const start = title ? 'AB' : fieldsOfStart(word.text);
  return [
    `${quoted(word.text)}${here}`,
    ...(startsCount(word) ? [`${quoted(word.text)}:*${start}`] : []),
    ...word.near.map((term) => `${quoted(term)}:${title ? 'AB' : 'ABC'}`),
  ].join('|');
}

/** Every word, in any field; `title`: every word in the title. */
export const allTokens = (tokens: QueryToken[], title = false): string =>
  tokens.map((word) => `(${anyOf(word, title)})`).join('&');

/** The same as a condition on projects `d`, with what the words find by synonyms. */
export function bySynonyms(db: Db, tokens: QueryToken[]): Fragment {
  return tokens
    .map((word) => {
      const tags = tagsOf(word);
      const terms = db`d.terms @@ ${[anyOf(word, false), ...otherWords(word)].join('|')}::tsquery`;
      return tags.length > 0 ? db`(${terms} or d.keys && ${tags}::text[])` : terms;
    })
    .reduce((all, one) => db`${all} and ${one}`);
}

/** The words joined: all of them, or any two neighbours. */
export function joinedTokens(tokens: QueryToken[], title = false): string {
  const texts = tokens.map(({ text }) => text);
  const fields = title ? ':*AB' : ':*';
  const whole = `${quoted(texts.join('').slice(0, 40))}${fields}`;
  const some = texts.slice(1).map((text, i) => {
    const rest = tokens.filter((_, at) => at !== i && at !== i + 1);
    const pair = quoted(`${texts[i]}${text}`.slice(0, 40));
    return `(${[`${pair}${title ? ':AB' : ''}`, ...rest.map((word) => `(${anyOf(word, title)})`)].join('&')})`;
  });
  return [whole, ...some].join('|');
}

const category_weight = 3;
const weights = { A: 10, B: 9, C: 4, D: 1 } as const;
/** Constant instead of the inverse document frequency, which this engine does not compute. */
const rarity = 1.6;

/** Best match of a word: quality x weight of the field; by a synonym far below. Source: search §3.2. */
export function scoreOf(db: Db, word: QueryToken, words: number): Fragment {
  const other = otherWords(word);
  // the score is the mean over the words
  const penalty = synonym_penalty * words;
  const start = word.last ? 0.75 : 0.45;
  const ways = (Object.keys(weights) as Array<keyof typeof weights>).flatMap((field) => [
    { score: weights[field], query: `${quoted(word.text)}:${field}` },
    ...(startsCount(word)
      ? [{ score: start * weights[field], query: `${quoted(word.text)}:*${field}` }]
      : []),
    ...(word.near.length > 0 && field !== 'D'
      ? [
          {
            score: 0.45 * weights[field],
            query: word.near.map((term) => `${quoted(term)}:${field}`).join('|'),
          },
        ]
      : []),
  ]);
  ways.sort((a, b) => b.score - a.score);
  const matching = ways.map(({ score, query }) => ({ score: score * rarity, query }));
  if (other.length > 0)
    for (const field of Object.keys(weights) as Array<keyof typeof weights>)
      matching.push({
        score: synonym_quality * weights[field] * rarity - penalty,
        query: other.map((term) => `${term}:${field}`).join('|'),
      });
  const rest = word.synonyms.length > 0 ? synonym_quality * category_weight - penalty : 0;
  return db`case ${matching.map(({ score, query }) => db` when d.terms @@ ${query}::tsquery then ${score}::float8`)} else ${rest}::float8 end`;
}

const max_near = 40;
const max_candidates = 3_000;

/** Possible corrections of each word that may contain a typo. Source: search §3.4. */
export async function nearTokens(db: Db, tokens: string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const word of tokens.filter(mayBeMistyped)) {
    const { length } = word;
    const rows = await db<{ term: string }[]>`
      select term from search_terms
      where deletions && ${deletions(word)}::int[] and length(term) between ${length - 1} and ${length + 1}
      limit ${max_candidates}`;
    const near = rows.map(({ term }) => term).filter((term) => withinOneEdit(word, term));
    if (near.length > 0) found.set(word, near.slice(0, max_near));
  }
  return found;
}
