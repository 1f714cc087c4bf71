import type { PublicDocument, Schema } from '../reference/public-document.ts';

interface Merged extends Schema {
  name: string;
}

/** Resolves references and merges `allOf`; `name` is that of the innermost named schema. */
function merged(document: PublicDocument, schema: Schema, name: string): Merged {
  if (schema.$ref) {
    const target = schema.$ref.split('/').at(-1)!;
    return merged(document, document.components.schemas[target]!, target);
  }
  const made: Merged = { ...schema, name };
  for (const part of schema.allOf ?? []) {
    const other = merged(document, part, name);
    made.properties = { ...other.properties, ...made.properties };
    made.required = [...(made.required ?? []), ...(other.required ?? [])];
    made.nullable = made.nullable || other.nullable || false;
    made.type ??= other.type as string;
    made.enum ??= other.enum as unknown[];
  }
  return made;
}

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
const date = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Where the value is not as the schema says, as `Project.slug: null`: a documented property is missing, of another type,
 * null without being nullable, not one of the enumeration, or no instant. Properties beyond the document are allowed.
 */
export function mismatches(
  document: PublicDocument,
  schema: Schema,
  value: unknown,
  at = 'answer',
): string[] {
  const rule = merged(document, schema, at);
  const type = rule.type ?? (rule.properties ? 'object' : undefined);
  if (value === null) return rule.nullable ? [] : [`${at}: null`];
  const found = typeOf(value);
  if (type !== undefined && found !== type && !(type === 'number' && found === 'integer'))
    return [`${at}: ${found} instead of ${type}`];
  if (rule.enum && !rule.enum.includes(value))
    return [`${at}: ${JSON.stringify(value)} is not in the enumeration`];
  if (rule.format === 'ISO-8601' && !date.test(value as string)) return [`${at}: no instant`];
  if (Array.isArray(value))
    return value.flatMap((one) => mismatches(document, rule.items ?? {}, one, `${at}[]`));
  if (found !== 'object') return [];
  const owner = rule.name;
  const known = Object.entries(rule.properties ?? {}).flatMap(([key, property]) => {
    const inner = (value as Record<string, unknown>)[key];
    return inner === undefined
      ? [`${owner}.${key}: missing`]
      : mismatches(document, property, inner, `${owner}.${key}`);
  });
  const others = rule.additionalProperties
    ? Object.values(value as object).flatMap((one) =>
        mismatches(document, rule.additionalProperties!, one, `${owner}{}`),
      )
    : [];
  return [...known, ...others];
}
