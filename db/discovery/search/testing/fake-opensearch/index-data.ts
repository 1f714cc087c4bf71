import { aggregated } from './aggregations.ts';
import { badRequest, type Json, type JsonObject, objectOf, onlyEntry } from './errors.ts';
import { FakeMapping, type Field } from './mapping.ts';
import { FakeQueries, type InnerHits, objectsAt, valuesOf } from './query.ts';

type Sorted = Array<string | number | null>;

/** One index of the fake server: written documents can be read by id at once, and searched after a refresh. */
export class FakeIndex {
  readonly name: string;
  readonly mapping: FakeMapping;
  readonly written = new Map<string, JsonObject>();
  #found = new Map<string, JsonObject>();
  readonly #settings: JsonObject;

  constructor(name: string, json: JsonObject) {
    const { settings, mappings } = objectOf(json, 'index', ['settings', 'mappings']);
    this.name = name;
    this.#settings = objectOf(settings, 'settings', [
      ...['number_of_shards', 'auto_expand_replicas', 'refresh_interval', 'max_result_window', 'mapping'],
    ]);
    const limit = (this.#settings.mapping as { nested_objects?: { limit?: number } })?.nested_objects?.limit;
    this.mapping = new FakeMapping(objectOf(mappings, 'mappings', null), limit ?? 10_000);
  }

  set(json: JsonObject): void {
    Object.assign(this.#settings, objectOf(json, 'settings', ['refresh_interval']));
  }

  write(id: string, source: JsonObject): 'created' | 'updated' {
    if (Buffer.byteLength(id) > 512 || id === '') throw badRequest('id is too long');
    this.mapping.check(source);
    const before = this.written.has(id);
    this.written.set(id, source);
    return before ? 'updated' : 'created';
  }

  refresh(): void {
    this.#found = new Map(this.written);
  }

  /** Fails instead of waiting for a refresh that never comes. */
  waitForRefresh(): void {
    if (this.#settings.refresh_interval === '-1') throw badRequest(`[${this.name}] is never refreshed`);
    this.refresh();
  }

  get count(): number {
    return this.#found.size;
  }

  search(json: JsonObject) {
    const known = ['track_total_hits', '_source', 'query', 'sort', 'docvalue_fields', 'from', 'size', 'aggs'];
    const body = objectOf(json, 'search', known);
    const { from = 0, size = 10, sort } = body as { from?: number; size?: number; sort: Json };
    const window = Number(this.#settings.max_result_window ?? 10_000);
    if (from < 0 || size < 0 || from + size > window)
      throw badRequest(`Result window is too large: ${from + size}`);
    if (body.track_total_hits !== true || body._source !== false)
      throw badRequest('the stand-in wants exact totals');
    const queries = new FakeQueries(this.mapping);
    const scores = Array.isArray(sort) && sort.some((one) => onlyEntry(one, 'sort')[0] === '_score');
    const match = queries.ready(body.query, scores ? 'score' : 'filter', '');
    const order = this.#order(size === 0 && sort === undefined ? [] : sort, '');
    const hits = [...this.#found].flatMap(([id, source]) => {
      const score = match(source);
      return score === null ? [] : [{ id, source, sort: order.keys(source, score) }];
    });
    hits.sort((a, b) => order.compare(a.sort, b.sort));
    const sources = hits.map(({ source }) => source);
    return {
      hits: {
        total: { value: hits.length, relation: 'eq' },
        hits: hits.slice(from, from + size).map((hit) => ({
          ...{ _index: this.name, _id: hit.id, _score: null, sort: hit.sort },
          ...this.#visible(hit.source, body.docvalue_fields, queries.innerHits),
        })),
      },
      ...(body.aggs ? { aggregations: aggregated(body.aggs, sources, this.mapping) } : {}),
    };
  }

  #visible(source: JsonObject, names: Json | undefined, innerHits: InnerHits[]) {
    const fields = ((names ?? []) as string[]).map((name) => [
      name,
      valuesOf(source, name, this.#sortable(name, '')),
    ]);
    const inner = innerHits.map((one) => [one.path, { hits: this.#innerHits(source, one) }]);
    return {
      fields: Object.fromEntries(fields.filter(([, values]) => values?.length)),
      ...(inner.length > 0 ? { inner_hits: Object.fromEntries(inner) } : {}),
    };
  }

  #innerHits(source: JsonObject, { path, json, match }: InnerHits) {
    const { size = 3, sort } = objectOf(json, 'inner_hits', ['size', 'sort', '_source']);
    const order = this.#order(sort, path);
    const hits = objectsAt(source, path)
      .filter((one) => match(one) !== null)
      .map((one) => ({ sort: order.keys(one, 0) }))
      .sort((a, b) => order.compare(a.sort, b.sort));
    return { total: { value: hits.length, relation: 'eq' }, hits: hits.slice(0, Number(size)) };
  }

  #sortable(name: string, nested: string): Field {
    const field = this.mapping.fields.get(name);
    if (!field?.docValues || field.nested !== nested) throw badRequest(`[${name}] has no doc values here`);
    return field;
  }

  /** Sort order: missing values come last in both directions. */
  #order(json: Json | undefined, nested: string) {
    if (!Array.isArray(json)) throw badRequest('sort must be an array');
    const parts = json.map((one) => {
      const [name, how] = onlyEntry(one, 'sort');
      const order = typeof how === 'string' ? how : objectOf(how, 'sort', ['order']).order;
      if (order !== 'asc' && order !== 'desc') throw badRequest(`unknown order [${String(order)}]`);
      return {
        name,
        sign: order === 'asc' ? 1 : -1,
        field: name === '_score' ? null : this.#sortable(name, nested),
      };
    });
    return {
      keys: (source: JsonObject, score: number): Sorted =>
        parts.map(({ name, field }) => (field ? (valuesOf(source, name, field)[0] ?? null) : score)),
      compare: (a: Sorted, b: Sorted): number => {
        for (const [i, { sign }] of parts.entries()) {
          const [one, other] = [a[i] ?? null, b[i] ?? null];
          if (one === other) continue;
          if (one === null || other === null) return one === null ? 1 : -1;
          return one < other ? -sign : sign;
        }
        return 0;
      },
    };
  }
}
