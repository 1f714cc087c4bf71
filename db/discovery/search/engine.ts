import type { SearchColumns } from '../../catalogue/projects/stored-fields.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { MediaSettings } from '../../platform/storage/url.ts';
import type { Sort } from './sorts.ts';

/**
 * A filter tree, the same for every engine. `value` of ranges is a number; everything else compares as text, boolean
 * or number.
 */
export type FilterTree =
  | { and: FilterTree[] }
  | { or: FilterTree[] }
  | { not: FilterTree }
  | { key: string; op: Operator; value: string | number | boolean };
export type Operator = '=' | '!=' | '>' | '>=' | '<' | '<=';

export interface Query {
  text: string;
  filter: FilterTree | null;
  sort: Sort;
  offset: number;
  limit: number;
  /** Restricts the search to these projects (followed ones), at most 10,000. */
  only?: ReadonlySet<string>;
}

export interface SearchResult {
  /** Project ids of the requested window, best first. */
  ids: string[];
  /** For each id the newest of its matching versions, or null. */
  versionIds: Array<string | null>;
  total: number;
  generation: number;
  /** Whether a work limit truncated the result. */
  partial: boolean;
  /** Words of the text that were left out, because nothing has all of them; absent when none were. */
  left_out?: readonly string[];
}

/** Options whose hits are counted under a common filter. */
export interface CountGroup {
  /**
   * What every option is added to: the filters of the other groups, and those of its own group if all of them must
   * hold. null: no filter.
   */
  filter: FilterTree | null;
  /** Conditions to count one by one, e.g. `{ key: 'game_versions', op: '=', value: '1.21' }`. */
  options: readonly FilterTree[];
}

/** What to count: one text, several groups of options, at most `limits.options` options in all. */
export interface CountQuery {
  text: string;
  groups: readonly CountGroup[];
}

export interface CountResult {
  /**
   * For each group and option the total of a search for the text with the group's filter AND the option; null: not
   * counted, because a work limit was reached.
   */
  counts: Array<Array<number | null>>;
  generation: number;
  /** Whether a work limit left out or truncated counts. */
  partial: boolean;
}

/** A group of equal versions of a project: one of them must match the whole filter. */
export interface DocumentVersion {
  version_id: string | null;
  date: number;
  loaders: string[];
  game_versions: string[];
  project_types: string[];
  environment: string | null;
  client_side: string;
  server_side: string;
}

/** A project as indexed by engines. */
export interface SearchDocument extends SearchColumns {
  project_id: string;
  slug: string;
  author: string;
  author_id: string;
  organization: string | null;
  organization_id: string | null;
  categories: string[];
  display_categories: string[];
  license: string;
  open_source: boolean;
  downloads: number;
  follows: number;
  /** unix seconds */
  created_timestamp: number;
  modified_timestamp: number;
  /** unix milliseconds, like the dates of rows; 0 without versions */
  newest_version: number;
  all_project_types: string[];
  dependencies: Array<{ project_id: string; dependency_type: string }>;
  disclosure_types: string[];
  rows: DocumentVersion[];
  hit: HitFields;
}

/**
 * Stored fields that hits show but that are not searched. Storage keys, not URLs: URLs are made when a hit is
 * returned.
 */
export interface HitFields {
  icon_key: string | null;
  color: number | null;
  /** The gallery in order. */
  pictures: Array<{ key: string; featured: boolean }>;
  /** Date format of hits in the API: `2023-02-05T19:39:55.551839+00:00`. */
  date_created: string;
  date_modified: string;
  game_versions: string[];
  loaders: string[];
  mrpack_loaders: string[];
  environments: string[];
  client_side: string;
  server_side: string;
}

export type DocumentChange =
  | { put: SearchDocument }
  | { remove: string }
  | { touch: string; downloads?: number; follows?: number };

export type EngineName = 'postgres' | 'embedded' | 'opensearch';

export interface SearchStatus {
  /** The engine that answers now: one that is not ready delegates to another. */
  engine: EngineName;
  ready: boolean;
  documents: number;
  generation: number;
  bytes: number;
}

/** A search engine. Source: search §4. */
export interface SearchEngine {
  readonly name: EngineName;
  search(query: Query): Promise<SearchResult>;
  /** How many projects each option of a filter has. Refuses `invalid_input` (400) for too many options. */
  count(query: CountQuery): Promise<CountResult>;
  /** Response hits for `ids`, in order, in the format of API version 2 or 3; `settings` for the URLs of images. */
  hits(
    found: Pick<SearchResult, 'ids' | 'versionIds'>,
    api: 2 | 3,
    settings: MediaSettings,
  ): Promise<Array<Record<string, unknown>>>;
  status(): SearchStatus;
  /**
   * Every event committed before this moment (`performance.now`) is in what is searched; null while that is unknown.
   * Absent where the engine does not follow events itself.
   */
  confirmedAt?(): number | null;
}

/** An engine with an index that `indexConsumer` keeps up to date. */
export interface SearchIndex extends SearchEngine {
  /** `db`: the caller's transaction, for an engine in the same database. */
  apply(changes: DocumentChange[], db?: Db): Promise<void>;
  rebuild(docs: AsyncIterable<SearchDocument>): Promise<void>;
  /** Whether the stored index has the format of this code; if not, the consumer rebuilds it. */
  current(): Promise<boolean>;
}
