import type { StoredDocument } from '../documents/hits.ts';
import type { SearchDocument } from '../engine.ts';
import { folded, loaderCount, newestFirst, projectValues, rowsOf, rowValues } from '../query/filter-keys.ts';
import { joinedTerms, sortedTokens, spaceless, tokens } from '../query/tokenize.ts';

/** Numbers that filters can use; every row repeats them. */
export interface Numbers {
  downloads: number;
  follows: number;
  created_timestamp: number;
  modified_timestamp: number;
  loader_count: number;
}

/**
 * One group of versions. It repeats the project's fields, because the server compares a row only with its own fields,
 * and a filter may mix both levels. Source: search §2.
 */
export interface StoredRow extends Numbers {
  version_id: string | null;
  date: number;
  keys: string[];
}

/** The terms of a project by field. */
export interface Terms {
  title_first: string[];
  title: string[];
  joined: string[];
  people: string[];
  categories: string[];
  summary: string[];
}

/** A project as stored on the server, under its id. */
export interface Stored extends Numbers {
  project_id: string;
  newest_version: number;
  /** The version shown without a filter on rows: the newest of all. */
  latest: string | null;
  title_key: string;
  title_sorted: string;
  title_words: number;
  keys: string[];
  terms: Terms;
  rows: StoredRow[];
  kept: StoredDocument;
}

/** A key and its value as one keyword. */
export const pair = (key: string, value: string): string => `${key}:${folded(key, value)}`;
const pairs = (values: ReadonlyArray<readonly [key: string, value: string]>): string[] => [
  ...new Set(values.map(([key, value]) => pair(key, value))),
];

function termsOf({ title, slug, author, organization, categories, description }: SearchDocument): Terms {
  const title_tokens = tokens(title);
  return {
    title_first: title_tokens.slice(0, 1),
    title: [...title_tokens, ...tokens(slug)],
    joined: joinedTerms(title),
    people: [...tokens(author), ...tokens(organization ?? '')],
    categories: categories.flatMap(tokens),
    summary: tokens(description),
  };
}

/** The document to send to the server. */
export function stored(doc: SearchDocument): Stored {
  const { rows: _rows, ...kept } = doc;
  const { project_id, downloads, follows, created_timestamp, modified_timestamp, newest_version } = doc;
  const numbers = {
    downloads,
    follows,
    created_timestamp,
    modified_timestamp,
    loader_count: loaderCount(doc),
  };
  const direct = projectValues(doc);
  const rows = newestFirst(rowsOf(doc));
  return {
    project_id,
    newest_version,
    ...numbers,
    latest: rows[0]?.version_id ?? null,
    title_key: spaceless(doc.title),
    title_sorted: sortedTokens(doc.title),
    title_words: tokens(doc.title).length,
    keys: pairs(direct),
    terms: termsOf(doc),
    rows: rows.map((row) => ({
      version_id: row.version_id,
      date: row.date,
      ...numbers,
      keys: pairs([...direct, ...rowValues(doc, row)]),
    })),
    kept,
  };
}
