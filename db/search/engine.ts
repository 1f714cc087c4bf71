import type { SearchColumns } from '../projects/stored-fields.ts';
import type { Db } from '../sql.ts';
import type { Sort } from './sorts.ts';

/** One tree for every engine. `value` of ranges is a number; everything else compares as text, boolean or number. */
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
  /** Only these projects (followed ones), at most 10,000. */
  only?: ReadonlySet<string>;
}

export interface SearchResult {
  /** Project ids of the window, best first. */
  ids: string[];
  /** For each id the newest version among its matching rows, or null. */
  versionIds: Array<string | null>;
  total: number;
  generation: number;
  /** Whether a bound on work cut the answer. */
  partial: boolean;
}

/** One folded version of a project: the unit a filter must match as a whole. */
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

/** What an engine knows of a project. */
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
  /** unix milliseconds, as the dates of rows; 0 without versions */
  newest_version: number;
  all_project_types: string[];
  dependencies: Array<{ project_id: string; dependency_type: string }>;
  disclosure_types: string[];
  rows: DocumentVersion[];
  hit: HitFields;
}

/** What hits show beyond what is searched by. Keys of storage, not addresses: those are made when a hit is answered. */
export interface HitFields {
  icon_key: string | null;
  color: number | null;
  /** The gallery in its order. */
  pictures: Array<{ key: string; featured: boolean }>;
  /** As the API writes dates in hits: `2023-02-05T19:39:55.551839+00:00`. */
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
  /** Which engine answers now: one that is not ready lets another answer for it. */
  engine: EngineName;
  ready: boolean;
  documents: number;
  generation: number;
  bytes: number;
}

/** What answers searches. Source: search §4. */
export interface SearchEngine {
  readonly name: EngineName;
  search(query: Query): Promise<SearchResult>;
  /** Ready hits for `ids`, in their order, in the names of API version 2 or 3. */
  hits(found: Pick<SearchResult, 'ids' | 'versionIds'>, api: 2 | 3): Promise<Array<Record<string, unknown>>>;
  status(): SearchStatus;
}

/** An engine whose index somebody else keeps in step with the catalogue: `indexConsumer` does. */
export interface SearchIndex extends SearchEngine {
  /** `db`: the caller's transaction, used by an engine that lives in the same database. */
  apply(changes: DocumentChange[], db?: Db): Promise<void>;
  rebuild(docs: AsyncIterable<SearchDocument>): Promise<void>;
  /** Whether the stored index is of the kind this code makes; when not, the reader of events makes it anew. */
  current(): Promise<boolean>;
}
