import fc, { type Arbitrary } from 'fast-check';

/** The part of JSON Schema that our OpenAPI documents use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** Schemas by their `$ref`. */
export type Schemas = Readonly<Record<string, Schema>>;

/** What may stand for a text: `known` are ids and hashes of things that exist. */
interface Words {
  schemas: Schemas;
  known: readonly string[];
}

/** Longest generated text and list, whatever a schema allows: long ones have tests of their own. */
const longest = { text: 300, list: 6 };

const formats: Readonly<Record<string, Arbitrary<unknown>>> = {
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  date: fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  email: fc.emailAddress(),
  uri: fc.webUrl(),
  uuid: fc.uuid(),
};

/** Values that a schema allows, as far as it says; ids of `words` stand where any text may. */
export function allowedBy(schema: Schema, words: Words, depth = 0): Arbitrary<unknown> {
  const inside = (part: Schema) => allowedBy(part, words, depth + 1);
  if (schema.$ref) return depth > 12 ? fc.constant(null) : inside(words.schemas[schema.$ref] ?? {});
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum?.length) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices?.length) return fc.oneof(...choices.map(inside));
  if (schema.allOf?.length)
    return fc.tuple(...schema.allOf.map(inside)).map((parts) => Object.assign({}, ...parts) as object);
  const types = [schema.type ?? []].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => inside({ ...schema, type })));
  switch (types[0]) {
    case 'string':
      return text(schema, words);
    case 'integer':
      return fc.integer({ min: whole(schema.minimum, -1000), max: whole(schema.maximum, 100_000) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(inside(schema.items ?? {}), {
        minLength: Math.min(schema.minItems ?? 0, longest.list),
        maxLength: Math.min(schema.maxItems ?? longest.list, longest.list),
      });
    case 'object':
      return object(schema, inside);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

const whole = (bound: number | undefined, otherwise: number): number =>
  bound === undefined || Math.abs(bound) > 2 ** 31 ? otherwise : Math.ceil(bound);

function text({ format = '', pattern, minLength = 0, maxLength = longest.text }: Schema, { known }: Words) {
  const ofFormat = formats[format];
  if (ofFormat) return ofFormat;
  const max = Math.max(minLength, Math.min(maxLength, longest.text));
  const free = fc.string({ unit: 'grapheme', minLength, maxLength: max });
  const own = pattern ? fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: max }) : free;
  return fc.oneof({ weight: 2, arbitrary: own }, { weight: 3, arbitrary: fc.constantFrom(...known) });
}

function object(
  { properties = {}, required = [], additionalProperties }: Schema,
  inside: (part: Schema) => Arbitrary<unknown>,
): Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inside(part)]));
  const named = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
  if (typeof additionalProperties !== 'object') return named;
  const more = fc.dictionary(fc.string({ maxLength: 20 }), inside(additionalProperties), { maxKeys: 4 });
  return fc.tuple(more, named).map(([others, own]) => ({ ...others, ...own }));
}
