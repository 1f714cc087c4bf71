import { countUp, setCounters } from '../../opensearch/write.ts';
import { badRequest, ErrorReply, type Json, type JsonObject, objectOf, onlyEntry } from './errors.ts';
import type { FakeIndex } from './index-data.ts';

/** Target of an operation: the index behind a name; the name must be an alias if the request says so. */
export type Resolve = (name: string, require_alias: boolean) => FakeIndex;

/** Implements the scripts our code sends; the fake does not interpret Painless. */
const scripts = new Map<string, (source: JsonObject, params: JsonObject) => void>([
  [
    setCounters,
    (source, params) => {
      const counters = objectOf(params.counters, 'counters', ['downloads', 'follows']);
      Object.assign(source, counters);
      for (const row of source.rows as JsonObject[]) Object.assign(row, counters);
    },
  ],
  [
    countUp,
    (source) => {
      source.generation = Number(source.generation) + 1;
    },
  ],
]);

const target = { index: ['_index', '_id', 'require_alias'], delete: ['_index', '_id'] };
const allowed: Record<string, string[]> = {
  ...target,
  update: [...target.index, 'retry_on_conflict'],
};

function update(index: FakeIndex, id: string, json: JsonObject) {
  const { script, upsert, _source } = objectOf(json, 'update', ['script', 'upsert', '_source']);
  const { lang, source: text, params = {} } = objectOf(script, 'script', ['lang', 'source', 'params']);
  const run = scripts.get(String(text));
  if (!run || lang !== 'painless') throw new ErrorReply(400, 'script_exception', 'unknown script');
  const before = index.written.get(id);
  if (!before && !upsert)
    throw new ErrorReply(404, 'document_missing_exception', `[${id}]: document missing`);
  const source = structuredClone(before ?? objectOf(upsert, 'upsert', null));
  if (before) run(source, objectOf(params, 'params', null));
  const result = index.write(id, source);
  return {
    status: before ? 200 : 201,
    result,
    ...(_source ? { get: { found: true, _source: source } } : {}),
  };
}

function one(kind: string, index: FakeIndex, id: string, body: () => JsonObject) {
  if (kind === 'update') return update(index, id, body());
  if (kind === 'index') {
    const result = index.write(id, body());
    return { status: result === 'created' ? 201 : 200, result };
  }
  const was = index.written.delete(id);
  return { status: was ? 200 : 404, result: was ? 'deleted' : 'not_found' };
}

/** Executes each operation of a bulk request, and gives the response with the indices it changed. */
export function bulk(text: string, resolve: Resolve) {
  if (!text.endsWith('\n')) throw badRequest('The bulk request must be terminated by a newline [\\n]');
  const lines = text.slice(0, -1).split('\n');
  const touched = new Set<FakeIndex>();
  const items: JsonObject[] = [];
  while (lines.length > 0) {
    const [kind, json] = onlyEntry(JSON.parse(lines.shift() as string) as Json, 'action');
    if (!allowed[kind]) throw badRequest(`unknown action [${kind}]`);
    const { _index, _id, require_alias } = objectOf(json, kind, allowed[kind]);
    const body = kind === 'delete' ? {} : (JSON.parse(lines.shift() ?? '') as JsonObject);
    try {
      const index = resolve(String(_index), require_alias === true);
      touched.add(index);
      items.push({
        [kind]: { _index: index.name, _id: String(_id), ...one(kind, index, String(_id), () => body) },
      });
    } catch (error) {
      if (!(error instanceof ErrorReply)) throw error;
      items.push({ [kind]: { _index: String(_index), _id: String(_id), ...error.body } });
    }
  }
  return { touched, answer: { took: 1, errors: items.some(failed), items } };
}

const failed = (item: JsonObject): boolean => 'error' in (Object.values(item)[0] as JsonObject);
