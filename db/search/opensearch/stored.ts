import type { StoredDocument } from '../documents/hits.ts';
import type { SearchDocument } from '../engine.ts';
import { folded, loaderCount, newestFirst, projectValues, rowsOf, rowValues } from '../query/filter-keys.ts';
import { joinedTerms, sortedTokens, spaceless, tokens } from '../query/tokenize.ts';

/** The numbers a project may be filtered by; every row repeats them. */
export interface Numbers {
  downloads: number;
  follows: number;
  created_timestamp: number;
  modified_timestamp: number;
  loader_count: number;
}

/**
 * One folded version. It repeats what holds for the whole project, because the server compares a row with nothing
 * but the row's own fields, and a filter may mix both levels. Source: search §2.
 */
export interface StoredRow extends Numbers {
  version_id: string | null;
  date: number;
  keys: string[];
}

/** The terms of a project, by the field they stand in. */
export interface Terms {
  title_first: string[];
  title: string[];
  joined: string[];
  people: string[];
  categories: string[];
  summary: string[];
}

/** A project as the server holds it, under its id. */
export interface Stored extends Numbers {
  project_id: string;
  newest_version: number;
  /** The version shown when no filter asks for another: the newest of all rows. */
  latest: string | null;
  title_key: string;
  title_sorted: string;
  title_words: number;
  keys: string[];
  terms: Terms;
  rows: StoredRow[];
  kept: StoredDocument;
}

/** A value under its key, as one keyword. */
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

/** A document as it is sent to the server. */
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
