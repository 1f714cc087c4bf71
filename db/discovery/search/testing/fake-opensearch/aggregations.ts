import { badRequest, type Json, type JsonObject, objectOf } from './errors.ts';
import type { FakeMapping } from './mapping.ts';
import { FakeQueries, type Ready } from './query.ts';

/**
 * Counts matching documents per aggregation, by name: `filter`, which may contain other aggregations, and `filters`
 * without names, whose buckets come in their order. Clauses are limited one by one, as on the server.
 */
export function aggregated(json: Json, sources: JsonObject[], mapping: FakeMapping): JsonObject {
  const compiled = (clause: Json | undefined): Ready => {
    const queries = new FakeQueries(mapping);
    const match = queries.ready(clause, 'filter', '');
    if (queries.innerHits.length > 0) throw badRequest('[inner_hits] cannot be used in aggregations');
    return match;
  };
  const answers = Object.entries(objectOf(json, 'aggs', null)).map(([name, one]) => {
    const { filter, filters, aggs } = objectOf(one, name, ['filter', 'filters', 'aggs']);
    if (filters !== undefined) {
      const { filters: clauses } = objectOf(filters, 'filters', ['filters']);
      if (aggs !== undefined || !Array.isArray(clauses)) throw badRequest('filters must be an array');
      const buckets = clauses.map((clause) => {
        const match = compiled(clause);
        return { doc_count: sources.filter((source) => match(source) !== null).length };
      });
      return [name, { buckets }];
    }
    const match = compiled(filter);
    const inside = sources.filter((source) => match(source) !== null);
    return [name, { doc_count: inside.length, ...(aggs ? aggregated(aggs, inside, mapping) : {}) }];
  });
  return Object.fromEntries(answers);
}
