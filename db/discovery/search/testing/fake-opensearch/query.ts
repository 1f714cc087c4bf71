import { withinOneEdit } from '../../query/edit-distance.ts';
import { badRequest, ErrorReply, type Json, type JsonObject, objectOf, onlyEntry } from './errors.ts';
import type { FakeMapping, Field } from './mapping.ts';

/** A compiled clause: the score of a document or nested object, null when it does not match. Scores are floats. */
export type Ready = (source: JsonObject) => number | null;
export interface InnerHits {
  path: string;
  json: JsonObject;
  match: Ready;
}

const fround = Math.fround;
const max_window = 1_024;
/** A clause in filter context, whose score the fake need not know. */
type Context = 'filter' | 'score';
const yes: Ready = () => 1;
const no: Ready = () => null;

/** The values of `field` in a document, or in the nested object that contains it. */
export function valuesOf(
  source: JsonObject,
  name: string,
  { nested, ignoreAbove }: Field,
): Array<string | number> {
  const inside = nested === '' ? name : name.slice(nested.length + 1);
  const found = inside.split('.').reduce<Json>((at, part) => (at as JsonObject)?.[part] ?? null, source);
  return (Array.isArray(found) ? found : [found]).filter(
    (value): value is string | number =>
      typeof value === 'number' || (typeof value === 'string' && value.length <= ignoreAbove),
  );
}

/** Compiles queries, and rejects what our code does not use or what would silently match nothing. */
export class FakeQueries {
  readonly #mapping: FakeMapping;
  readonly innerHits: InnerHits[] = [];
  #clauses = 0;

  constructor(mapping: FakeMapping) {
    this.#mapping = mapping;
  }

  /** `nested`: the path of the objects the clause applies to. */
  ready(json: Json | undefined, context: Context, nested: string): Ready {
    const [kind, body] = onlyEntry(json, 'query');
    const compile = this.#kinds[kind];
    if (!compile) throw new ErrorReply(400, 'parsing_exception', `unknown query [${kind}]`);
    return compile(body, context, nested);
  }

  readonly #kinds: Record<string, (body: Json, context: Context, nested: string) => Ready> = {
    match_all: (body) => {
      objectOf(body, 'match_all', []);
      return yes;
    },
    match_none: (body) => {
      objectOf(body, 'match_none', []);
      return no;
    },
    bool: (body, context, nested) => this.#bool(body, context, nested),
    term: (body, context, nested) =>
      this.#values(body, context, nested, (value, field) => {
        checkTerm(value, field);
        return (mine) => mine === value;
      }),
    terms: (body, context, nested) =>
      this.#values(body, context, nested, (values, field) => {
        if (!Array.isArray(values) || values.length > 65_536) throw badRequest('terms must be at most 65536');
        for (const value of values) checkTerm(value, field);
        const set = new Set<Json>(values);
        return (mine) => set.has(mine);
      }),
    prefix: (body, context, nested) =>
      this.#values(body, context, nested, (condition) => {
        const { value } = objectOf(condition, 'prefix', ['value']);
        if (typeof value !== 'string') throw badRequest('prefix wants text');
        return (mine) => String(mine).startsWith(value);
      }),
    fuzzy: (body, context, nested) =>
      this.#values(body, context, nested, (condition) => {
        const known = ['value', 'fuzziness', 'prefix_length', 'transpositions', 'rewrite'];
        const fuzzy = objectOf(condition, 'fuzzy', known);
        const { value, fuzziness, prefix_length, transpositions, rewrite } = fuzzy;
        if (typeof value !== 'string') throw badRequest('fuzzy wants text');
        if (fuzziness !== 1 || prefix_length !== 0 || transpositions !== true || rewrite !== 'constant_score')
          throw badRequest('the stand-in knows one kind of fuzzy');
        return (mine) => mine === value || withinOneEdit(value, String(mine));
      }),
    range: (body, context, nested) =>
      this.#values(body, context, nested, (condition, { type }) => {
        const bounds = Object.entries(objectOf(condition, 'range', ['gt', 'gte', 'lt', 'lte']));
        if (type !== 'long' || bounds.some(([, bound]) => !isLong(bound)))
          throw badRequest('range wants longs');
        return (mine) => bounds.every(([op, bound]) => compare[op]?.(Number(mine), Number(bound)));
      }),
    nested: (body, context, nested) => {
      const { path, query, inner_hits } = objectOf(body, 'nested', ['path', 'query', 'inner_hits']);
      if (context !== 'filter' || nested !== '') throw badRequest('the stand-in knows nested as filter only');
      if (typeof path !== 'string' || !this.#mapping.nested.has(path))
        throw badRequest('no such nested path');
      const match = this.ready(query, 'filter', path);
      if (inner_hits) this.innerHits.push({ path, match, json: objectOf(inner_hits, 'inner_hits', null) });
      return (source) => (objectsAt(source, path).some((one) => match(one) !== null) ? 0 : null);
    },
    constant_score: (body, _context, nested) => {
      const { boost, filter } = objectOf(body, 'constant_score', ['boost', 'filter']);
      if (typeof boost !== 'number' || boost < 0) throw badRequest('boost must be a number from 0');
      const match = this.ready(filter, 'filter', nested);
      return (source) => (match(source) === null ? null : fround(boost));
    },
    dis_max: (body, context, nested) => {
      const { queries } = objectOf(body, 'dis_max', ['queries']);
      if (!Array.isArray(queries) || queries.length === 0) throw badRequest("requires 'queries' field");
      const ways = queries.map((query) => this.ready(query, context, nested));
      return (source) => {
        const scores = ways.map((way) => way(source)).filter((score) => score !== null);
        return scores.length > 0 ? Math.max(...scores) : null;
      };
    },
    function_score: (body, context, nested) => this.#functionScore(body, context, nested),
  };

  /** A condition on the values of one field; any of them may satisfy it. */
  #values(
    body: Json,
    context: Context,
    nested: string,
    condition: (json: Json, field: Field) => (mine: string | number) => boolean | undefined,
  ): Ready {
    const [name, json] = onlyEntry(body, 'query');
    const field = this.#mapping.fields.get(name);
    if (!field?.indexed) throw badRequest(`[${name}] cannot be asked for`);
    if (field.nested !== nested)
      throw badRequest(`[${name}] does not belong to [${nested}]: nothing would match`);
    if (context === 'score') throw badRequest('the stand-in does not know this score: use constant_score');
    if (++this.#clauses > max_window)
      throw new ErrorReply(500, 'too_many_nested_clauses', `maxClauseCount is set to ${max_window}`);
    const fulfils = condition(json, field);
    return (source) => (valuesOf(source, name, field).some(fulfils) ? 1 : null);
  }

  #bool(body: Json, context: Context, nested: string): Ready {
    const known = ['filter', 'must', 'must_not', 'should', 'minimum_should_match'];
    const bool = objectOf(body, 'bool', known);
    const list = (name: string, of: Context) => {
      const clauses = bool[name] ?? [];
      if (!Array.isArray(clauses)) throw badRequest(`${name} must be an array`);
      return clauses.map((clause) => this.ready(clause, of, nested));
    };
    const [filter, mustNot] = [list('filter', 'filter'), list('must_not', 'filter')];
    const [must, should] = [list('must', context), list('should', context)];
    const { minimum_should_match } = bool;
    const min = minimum_should_match ?? (should.length > 0 && must.length + filter.length === 0 ? 1 : 0);
    return (source) => {
      if (filter.some((one) => one(source) === null) || mustNot.some((one) => one(source) !== null))
        return null;
      const scores = must.map((one) => one(source));
      const chosen = should.map((one) => one(source)).filter((score) => score !== null);
      if (scores.includes(null) || chosen.length < Number(min)) return null;
      return fround([...scores, ...chosen].reduce<number>((sum, score) => sum + (score ?? 0), 0));
    };
  }

  #functionScore(body: Json, context: Context, nested: string): Ready {
    const known = ['query', 'functions', 'score_mode', 'boost_mode'];
    const { query, functions, score_mode = 'multiply', boost_mode = 'multiply' } = objectOf(body, 'f', known);
    const match = this.ready(query, context, nested);
    const modes = { sum: (a: number, b: number) => a + b, multiply: (a: number, b: number) => a * b };
    const [within, with_] = [score_mode, boost_mode].map((mode) => modes[mode as keyof typeof modes]);
    if (!within || !with_ || !Array.isArray(functions)) throw badRequest('function_score: unknown mode');
    const parts = functions.map((one) => this.#function(one, nested));
    return (source) => {
      const score = match(source);
      if (score === null) return null;
      const values = parts.map((part) => part(source)).filter((value) => value !== null);
      return fround(with_(score, values.length > 0 ? values.reduce(within) : 1));
    };
  }

  #function(json: Json, nested: string): Ready {
    const {
      filter,
      weight = 1,
      field_value_factor,
    } = objectOf(json, 'function', [...['filter', 'weight', 'field_value_factor']]);
    const applies = filter === undefined ? yes : this.ready(filter, 'filter', nested);
    const value = field_value_factor === undefined ? yes : this.#fieldValue(field_value_factor);
    return (source) => (applies(source) === null ? null : (value(source) ?? 0) * Number(weight));
  }

  #fieldValue(json: Json): Ready {
    const known = ['field', 'modifier', 'factor', 'missing'];
    const { field: name, modifier, factor = 1, missing } = objectOf(json, 'field_value_factor', known);
    const field = this.#mapping.fields.get(String(name));
    const modify = modifiers[String(modifier)];
    if (field?.type !== 'long' || !field.docValues || !modify) throw badRequest('field_value_factor');
    return (source) => {
      const value = modify(Number(valuesOf(source, String(name), field)[0] ?? missing) * Number(factor));
      if (!Number.isFinite(value) || value < 0) throw badRequest('function score must be a number from 0');
      return value;
    };
  }
}

const modifiers: Record<string, (value: number) => number> = {
  log1p: (value) => Math.log10(value + 1),
  reciprocal: (value) => 1 / value,
};

const compare: Record<string, (mine: number, bound: number) => boolean> = {
  gt: (mine, bound) => mine > bound,
  gte: (mine, bound) => mine >= bound,
  lt: (mine, bound) => mine < bound,
  lte: (mine, bound) => mine <= bound,
};

const isLong = (value: Json): boolean => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 63;

function checkTerm(value: Json, { type }: Field): void {
  if (type === 'long' ? !isLong(value) : typeof value !== 'string' || !value.isWellFormed())
    throw badRequest(`[${JSON.stringify(value)}] is no ${type}`);
}

/** The nested objects of a document at `path`. */
export function objectsAt(source: JsonObject, path: string): JsonObject[] {
  const found = source[path] ?? [];
  return (Array.isArray(found) ? found : [found]) as JsonObject[];
}
