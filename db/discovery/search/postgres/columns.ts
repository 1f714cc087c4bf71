import type { SearchDocument } from '../engine.ts';
import { loaderCount } from '../query/filter-keys.ts';
import { joinedTerms, mayBeMistyped, sortedTokens, spaceless, tokens } from '../query/tokenize.ts';
import { documentKeys, type Masks, masksOf } from './filter.ts';

/** Weights of a tsvector and the position of each term under it: a lexeme has one weight per position. */
const weight_names = { A: 1, B: 2, C: 3, D: 4 } as const;
type Weight = keyof typeof weight_names;

const people = (doc: SearchDocument): string[] => [...tokens(doc.author), ...tokens(doc.organization ?? '')];

/** The text of a tsvector: every term with the weights of its fields. */
function termsOf(doc: SearchDocument): string {
  const weights = new Map<string, Set<Weight>>();
  const add = (terms: string[], weight: Weight) => {
    for (const term of terms) weights.set(term, (weights.get(term) ?? new Set()).add(weight));
  };
  add([...tokens(doc.title), ...tokens(doc.slug)], 'A');
  add(joinedTerms(doc.title), 'B');
  add([...people(doc), ...tokens(doc.categories.join(' '))], 'C');
  add(tokens(doc.description), 'D');
  return [...weights]
    .map(([term, of]) => `'${term}':${[...of].map((weight) => `${weight_names[weight]}${weight}`).join(',')}`)
    .join(' ');
}

/** Words of a document that are candidates for typo correction. */
export const mistypable = (doc: SearchDocument): string[] =>
  [...tokens(doc.title), ...joinedTerms(doc.title), ...people(doc)].filter(mayBeMistyped);

export interface DocumentColumns extends Masks {
  project_id: string;
  keys: string[];
  downloads: number;
  follows: number;
  created_timestamp: number;
  modified_timestamp: number;
  newest_version: number;
  loader_count: number;
  title_key: string;
  title_sorted: string;
  title_words: number;
  terms: string;
}

/** A document as a row of `search_documents`. */
export function documentColumns(doc: SearchDocument): DocumentColumns {
  const { project_id, downloads, follows, created_timestamp, modified_timestamp, newest_version } = doc;
  const masks = masksOf(doc);
  return {
    ...{ project_id, downloads, follows, created_timestamp, modified_timestamp, newest_version },
    ...masks,
    keys: documentKeys(doc, masks),
    loader_count: loaderCount(doc),
    title_key: spaceless(doc.title),
    title_sorted: sortedTokens(doc.title),
    title_words: tokens(doc.title).length,
    terms: termsOf(doc),
  };
}
