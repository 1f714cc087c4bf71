import { bulk } from './bulk.ts';
import { ErrorReply, type Json, type JsonObject, objectOf } from './errors.ts';
import type { IndexStore } from './indices.ts';

interface FakeRequest {
  /** The index or alias in the path. */
  name: string;
  /** The part of the path after the action. */
  rest: string;
  query: URLSearchParams;
  body: string;
}
export type Route = [
  method: string,
  path: RegExp,
  parameters: string[],
  answer: (request: FakeRequest) => Json,
];

const acknowledged = { acknowledged: true };

/** Supported routes; every other path and parameter is rejected. */
export const routesOf = (indices: IndexStore): Route[] => [
  [
    'PUT',
    /^\/([^/]+)$/,
    [],
    ({ name, body }) => {
      indices.create(name, JSON.parse(body) as JsonObject);
      return { ...acknowledged, index: name };
    },
  ],
  [
    'DELETE',
    /^\/([^/]+)$/,
    [],
    ({ name }) => {
      indices.delete(name);
      return acknowledged;
    },
  ],
  ['HEAD', /^\/([^/]+)$/, [], ({ name }) => indices.at(name).name],
  [
    'GET',
    /^\/([^/]+)\/_mapping$/,
    [],
    ({ name }) => ({ [indices.at(name).name]: { mappings: indices.at(name).mapping.json } }),
  ],
  [
    'PUT',
    /^\/([^/]+)\/_settings$/,
    [],
    ({ name, body }) => {
      indices.at(name).set(JSON.parse(body) as JsonObject);
      return acknowledged;
    },
  ],
  [
    'GET',
    /^\/([^/]+)\/_refresh$/,
    [],
    ({ name }) => {
      indices.at(name).refresh();
      return {};
    },
  ],
  ['GET', /^\/([^/]+)\/_alias$/, [], ({ name }) => indices.aliasesOf(name)],
  [
    'POST',
    /^\/_aliases$/,
    [],
    ({ body }) => {
      indices.change(objectOf(JSON.parse(body) as Json, 'aliases', ['actions']).actions);
      return acknowledged;
    },
  ],
  [
    'POST',
    /^\/_bulk$/,
    ['refresh'],
    ({ body, query }) => {
      const { touched, answer } = bulk(body, (name, require_alias) => indices.at(name, require_alias));
      if (query.get('refresh') === 'wait_for') for (const index of touched) index.waitForRefresh();
      return answer;
    },
  ],
  [
    'POST',
    /^\/([^/]+)\/_search$/,
    ['allow_partial_search_results', 'cancel_after_time_interval'],
    ({ name, body }) => {
      const found = indices.at(name).search(JSON.parse(body) as JsonObject);
      return { took: 1, timed_out: false, ...found } as Json;
    },
  ],
  [
    'POST',
    /^\/([^/]+)\/_mget$/,
    ['_source_includes'],
    ({ name, body, query }) => {
      const { ids } = objectOf(JSON.parse(body) as Json, 'mget', ['ids']);
      const names = query.get('_source_includes')?.split(',') ?? [];
      return { docs: (ids as string[]).map((id) => documentOf(indices, name, id, names)) };
    },
  ],
  [
    'GET',
    /^\/([^/]+)\/_doc\/([^/]+)$/,
    [],
    ({ name, rest }) => {
      const source = indices.at(name).written.get(rest);
      if (!source) throw new ErrorReply(404, 'document_missing_exception', 'not found');
      return { _id: rest, found: true, _source: source };
    },
  ],
  ['GET', /^\/([^/]+)\/_count$/, [], ({ name }) => ({ count: indices.at(name).count })],
  [
    'GET',
    /^\/([^/]+)\/_stats\/store$/,
    [],
    ({ name }) => ({ _all: { total: { store: { size_in_bytes: 1 + indices.at(name).count } } } }),
  ],
];

/** One document of a multi-get: errors are reported per document, like on the server. */
function documentOf(indices: IndexStore, name: string, id: string, names: string[]): JsonObject {
  try {
    const source = indices.at(name).written.get(id);
    if (!source) return { _id: id, found: false };
    const parts = names.map((part) => [part, source[part] ?? null]);
    return { _id: id, found: true, _source: Object.fromEntries(parts) };
  } catch (error) {
    if (error instanceof ErrorReply) return { _id: id, error: error.body.error };
    throw error;
  }
}
