import fc, { type Arbitrary } from 'fast-check';
import { oddIds, oddTexts, oddValues, wrongForms, wrongJson } from '../conformance/bad-bodies.ts';
import { allowedBy, type Schemas } from './json-schema.ts';
import type { Operation } from './operations.ts';

/** A generated request; `body` is sent as it is, with this type. */
export interface FuzzedRequest {
  method: string;
  url: string;
  token: string | null;
  body: BodyInit | null;
  type: string;
}

interface World {
  schemas: Schemas;
  /** Ids, hashes and names of things that exist. */
  known: readonly string[];
  /** Authorizations of several people, and wrong ones. */
  tokens: ReadonlyArray<string | null>;
}

/**
 * Requests of an operation: most follow its shapes and name things that exist, so that they get far; others are
 * corrupted somewhere, in the path, a parameter, a field or as a whole.
 */
export function requestsOf(operation: Operation, world: World): Arbitrary<FuzzedRequest> {
  const { method, parameters } = operation;
  const ofPlace = (place: string) => parameters.filter((one) => one.in === place);
  const path = fc.record(
    Object.fromEntries(ofPlace('path').map(({ name }) => [name, pathPart(world.known)])),
  );
  const queries = ofPlace('query').map(({ name, schema = {}, required = false }) =>
    fc.option(fc.tuple(fc.constant(name), queryText(allowedBy(schema, world), world.known)), {
      nil: undefined,
      freq: required ? 20 : 1,
    }),
  );
  return fc.record({
    method: fc.constant(method),
    url: fc
      .tuple(path, fc.tuple(...queries))
      .map(([parts, query]) => addressOf(operation.path, parts, query)),
    token: fc.constantFrom(...world.tokens),
    ...bodyOf(operation, world),
  });
}

const addressOf = (
  path: string,
  parts: Record<string, string>,
  query: ReadonlyArray<[string, string] | undefined>,
): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '');
  const given = query.filter((one) => one !== undefined);
  return given.length > 0 ? `${filled}?${new URLSearchParams(given)}` : filled;
};

const pathPart = (known: readonly string[]): Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known).map(encodeURIComponent) },
    { weight: 1, arbitrary: fc.constantFrom(...oddIds) },
    {
      weight: 1,
      arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 70 }).map(encodeURIComponent),
    },
  );

/** Lists stand as JSON in queries. */
const queryText = (value: Arbitrary<unknown>, known: readonly string[]): Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) },
    {
      weight: 3,
      arbitrary: fc.array(fc.constantFrom(...known), { maxLength: 5 }).map((ids) => JSON.stringify(ids)),
    },
    { weight: 1, arbitrary: fc.constantFrom(...oddTexts, '[', '{}', '-1', '1e999', 'NaN') },
  );

function bodyOf(
  { body }: Operation,
  world: World,
): { body: Arbitrary<BodyInit | null>; type: Arbitrary<string> } {
  if (!body) return { body: fc.constant(null), type: fc.constant('') };
  const isForm = body.type === 'multipart/form-data';
  const isJson = body.type === 'application/json';
  const boundary = 'multipart/form-data; boundary=b';
  if (!isForm && !isJson)
    return {
      body: fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
      type: fc.constant(body.type),
    };
  const shape = isForm ? (body.schema.properties?.data ?? {}) : body.schema;
  const value = fc.oneof(
    { weight: 6, arbitrary: allowedBy(shape, world) },
    { weight: 4, arbitrary: allowedBy(shape, world).chain(corrupted) },
  );
  const text = value.map((one) => (isForm ? formText(one) : (JSON.stringify(one) ?? '')));
  const wrong = (isForm ? wrongForms : wrongJson).map((one) => one.body);
  return {
    body: fc.oneof({ weight: 12, arbitrary: text }, { weight: 1, arbitrary: fc.constantFrom(...wrong) }),
    type: fc.constant(isForm ? boundary : body.type),
  };
}

/** A form with `value` as its data, and a file that is no archive. */
const formText = (value: unknown): string =>
  [
    `--b\r\nContent-Disposition: form-data; name="data"\r\n\r\n${JSON.stringify(value) ?? ''}\r\n`,
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jar"\r\n\r\nPK\u0003\u0004\r\n--b--\r\n',
  ].join('');

/** The value with something odd in one of its places, or in its own. */
function corrupted(value: unknown): Arbitrary<unknown> {
  const odd = fc.constantFrom<unknown>(...oddTexts, ...oddValues);
  if (Array.isArray(value) && value.length > 0)
    return fc
      .tuple(fc.nat(value.length - 1), odd)
      .map(([at, one]) => value.map((old, place) => (place === at ? one : old)));
  const names = Object.keys((value ?? {}) as object);
  if (typeof value !== 'object' || names.length === 0) return odd;
  return fc.tuple(fc.constantFrom(...names), odd).chain(([name, one]) => {
    const old = (value as Record<string, unknown>)[name];
    const deeper = typeof old === 'object' && old !== null ? corrupted(old) : fc.constant(one);
    return fc.oneof(fc.constant(one), deeper).map((part) => ({ ...value, [name]: part }));
  });
}
