import { type RelaxedQuery, synonym_penalty, synonym_quality, type TextQuery } from '../query/relaxation.ts';
import { same_tokens_bonus } from '../query/rerank.ts';
import { isTag, type Synonym } from '../query/synonyms.ts';
import { mayBeMistyped, sortedTokens, spaceless, titleForms } from '../query/tokenize.ts';
import type { Clause } from './filter.ts';
import { pair, type Terms } from './stored.ts';

type Field = keyof Terms;

/** Weight of a word by field. Source: search §3. */
const weights: Record<Field, number> = {
  title_first: 12,
  title: 10,
  joined: 9,
  people: 4,
  categories: 3,
  summary: 1,
};
const fields = Object.keys(weights) as Field[];
const quality = { exact: 1, lastStart: 0.75, start: 0.45, oneEdit: 0.45 } as const;
/** Constant instead of the inverse document frequency, which we do not request from the server. */
const rarity = 1.6;
/** Longest indexed term, in characters. */
const max_prefix = 40;

const titles: Field[] = ['title_first', 'title', 'joined'];
/** Short prefixes are searched in few fields: 1-2 letters in titles, 3 also in names, 4 and more everywhere. */
function fieldsOfStart({ text, last }: TextQuery): Field[] {
  if (!last && text.length < 3) return [];
  if (text.length < 3) return titles;
  return text.length < 4 ? [...titles, 'people'] : fields;
}

const worth = (field: Field, part: number, share: number, filter: Clause): Clause => ({
  constant_score: { boost: (weights[field] * part * rarity) / share, filter },
});

/** Query of one word, in any field and by any kind of match; its score is the best of them, divided by `share`. */
function anyWay(word: TextQuery, typos: boolean, share: number): Clause {
  const { text, last } = word;
  const start = last ? quality.lastStart : quality.start;
  const near: Field[] = typos && mayBeMistyped(text) ? [...titles, 'people'] : [];
  return {
    dis_max: {
      queries: [
        ...fields.map((field) => worth(field, quality.exact, share, { term: { [`terms.${field}`]: text } })),
        ...fieldsOfStart(word).map((field) =>
          worth(field, start, share, { prefix: { [`terms.${field}`]: { value: text } } }),
        ),
        ...near.map((field) =>
          worth(field, quality.oneEdit, share, {
            fuzzy: {
              [`terms.${field}`]: {
                value: text,
                fuzziness: 1,
                prefix_length: 0,
                transpositions: true,
                rewrite: 'constant_score',
              },
            },
          }),
        ),
        ...word.synonyms.flatMap((synonym) => bySynonym(synonym, share)),
      ],
    },
  };
}

/** Projects with a tag, or with another word in any field. */
function bySynonym(synonym: Synonym, share: number): Clause[] {
  if (!isTag(synonym))
    return fields.map((field) =>
      worth(field, synonym_quality, share, { term: { [`terms.${field}`]: synonym.word } }),
    );
  const { key, value } = synonym;
  const term = pair(key, value);
  // categories are known to rows only, which repeat them
  const tagged: Clause =
    key === 'categories'
      ? { nested: { path: 'rows', query: { term: { 'rows.keys': term } } } }
      : { term: { keys: term } };
  return [worth('categories', synonym_quality, share, tagged)];
}

const withoutSynonyms = (word: TextQuery): TextQuery => ({ ...word, synonyms: [] });

const everyWord = (tokens: TextQuery[], typos: boolean): Clause => ({
  bool: { must: tokens.map((word) => anyWay(word, typos, tokens.length)) },
});

/** The words with some of them joined: all, or any two neighbours. */
function joinings(tokens: TextQuery[]): TextQuery[][] {
  const joined_tokens = (some: TextQuery[]): TextQuery => ({
    text: [...some.map(({ text }) => text).join('')].slice(0, max_prefix).join(''),
    last: some.at(-1)?.last ?? false,
    synonyms: [],
  });
  const pairs = tokens
    .slice(1)
    .map((_, i) => [...tokens.slice(0, i), joined_tokens(tokens.slice(i, i + 2)), ...tokens.slice(i + 2)]);
  return tokens.length > 2 ? [[joined_tokens(tokens)], ...pairs] : pairs;
}

/**
 * Query of one text relaxation, scored by the mean of its words. Source: search §3.3 (Stage 1). Unlike there, how rare
 * a word is does not count, and a mistyped short word may also find one of three letters.
 */
export function matching({ tokens, typos, joined }: RelaxedQuery): Clause {
  if (!joined) return everyWord(tokens, typos);
  return { dis_max: { queries: joinings(tokens).map((joined_tokens) => everyWord(joined_tokens, typos)) } };
}

/**
 * Adds the rest of stage 1: title equal to `text` or to its words, share of the title matched, downloads; and for every
 * word with synonyms a bonus if the word itself matches, because the server knows no negative scores.
 */
export function scored(
  { tokens, typos }: RelaxedQuery,
  match: Clause,
  text: string,
  filter: Clause[],
): Clause {
  const forms = titleForms(text);
  const sorted = forms.map(sortedTokens);
  const themselves = tokens.filter(({ synonyms }) => synonyms.length > 0).map(withoutSynonyms);
  const titled: Clause = {
    function_score: {
      query: match,
      functions: [{ filter: { terms: { title_key: forms.map(spaceless) } }, weight: 2 }],
      boost_mode: 'multiply',
    },
  };
  return {
    function_score: {
      query: { bool: { must: [titled], filter } },
      functions: [
        // the words as typed are among both
        { filter: { terms: { title_sorted: sorted } }, weight: same_tokens_bonus.form },
        {
          filter: { terms: { title_sorted: sorted.slice(0, 1) } },
          weight: same_tokens_bonus.typed - same_tokens_bonus.form,
        },
        ...themselves.map((word) => ({ filter: anyWay(word, typos, 1), weight: synonym_penalty })),
        { field_value_factor: { field: 'downloads', modifier: 'log1p', missing: 0 }, weight: 0.9 },
        { filter: { range: { title_words: { lte: tokens.length } } }, weight: 2 },
        {
          filter: { range: { title_words: { gt: tokens.length } } },
          field_value_factor: {
            field: 'title_words',
            modifier: 'reciprocal',
            factor: 1 / tokens.length,
            missing: 1,
          },
          weight: 2,
        },
      ],
      score_mode: 'sum',
      boost_mode: 'sum',
    },
  };
}
