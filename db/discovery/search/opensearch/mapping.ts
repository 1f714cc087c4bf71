import { createHash } from 'node:crypto';
import type { Types } from '@opensearch-project/opensearch';
import { sampleDocument } from '../documents/sample-document.ts';
import { type Numbers, type Stored, type StoredRow, stored, type Terms } from './stored.ts';

type Property = Types.Common_Mapping.Property;
type Mapping = Types.Common_Mapping.TypeMapping;

/** Pages beyond this are empty; the total stays correct. Source: search §2. */
export const max_offset = 200_000;
const max_window = 100;

/** The server would reject a document with longer values: its terms have at most 32,766 bytes. */
const term = { type: 'keyword', ignore_above: 8_191 } as const;
/** Searchable, but neither sorted by nor returned. */
const searched: Property = { ...term, doc_values: false };
/** Sorted by or returned, but not searchable. */
const stored_only: Property = { ...term, index: false };
const long: Property = { type: 'long' };

const numbers: Record<keyof Numbers, Property> = {
  downloads: long,
  follows: long,
  created_timestamp: long,
  modified_timestamp: long,
  loader_count: long,
};
const row: Record<keyof StoredRow, Property> = {
  ...numbers,
  version_id: stored_only,
  date: long,
  keys: searched,
};
const terms: Record<keyof Terms, Property> = {
  title_first: searched,
  title: searched,
  joined: searched,
  people: searched,
  categories: searched,
  summary: searched,
};
const project: Record<keyof Stored, Property> = {
  ...numbers,
  project_id: term,
  newest_version: long,
  latest: stored_only,
  title_key: term,
  title_sorted: searched,
  title_words: long,
  keys: searched,
  terms: { properties: terms },
  rows: { type: 'nested', properties: row },
  kept: { type: 'object', enabled: false },
};

/**
 * Fingerprint of the index format of this code: of its mapping and of an indexed sample document. It changes with
 * tokens, keys or fields, and then the index is rebuilt.
 */
export const format: string = createHash('sha256')
  .update(JSON.stringify([project, stored(sampleDocument)]))
  .digest('hex')
  .slice(0, 16);

/** Mapping of the project index; its `_meta` contains the fingerprint. */
export const projectMapping: Mapping = { dynamic: 'strict', _meta: { format }, properties: project };

/** Mapping of the companion index: one document, which counts changes. */
export const stateMapping: Mapping = { dynamic: 'strict', properties: { generation: long } };

/** Refresh interval: how soon a change is searchable; until then a write waits, so that changes are batched. */
export const refresh_interval = '500ms';

/** Settings of a new project index: no refresh until it is complete. One replica if there is a second node. */
export const projectSettings = (shards: number): Types.Indices_Common.IndexSettings => ({
  number_of_shards: shards,
  auto_expand_replicas: '0-1',
  refresh_interval: '-1',
  max_result_window: max_offset + max_window,
  mapping: { nested_objects: { limit: 100_000 } },
});

export const stateSettings: Types.Indices_Common.IndexSettings = {
  number_of_shards: 1,
  auto_expand_replicas: '0-1',
};
