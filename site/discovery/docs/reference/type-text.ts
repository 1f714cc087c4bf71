import { refName, resolved, type Schema, type Shapes } from './document.ts';

/** One part of the text of a type: words, or the name of a shape that is described on the page. */
export type TypePart = { text: string } | { shape: string };

const max_values = 12;

/** A type in words: `string or null`, `list of Project`, `"sha1" or "sha512"`. */
export function typeText(schema: Schema): TypePart[] {
  const name = refName(schema);
  if (name) return [{ shape: name }];
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return joined(options.map(typeText));
  if (schema.allOf?.length === 1) return typeText(schema.allOf[0]!);
  if (schema.const !== undefined) return [{ text: JSON.stringify(schema.const) }];
  if (schema.enum) return [{ text: values(schema.enum) }];
  const types = [schema.type ?? 'any'].flat();
  return joined(types.map((type) => oneType(type, schema)));
}

const values = (all: readonly unknown[]): string => {
  const texts = all.slice(0, max_values).map((one) => JSON.stringify(one));
  return all.length > max_values ? `${texts.join(', ')} …` : texts.join(' or ');
};

function oneType(type: string, { items, additionalProperties, format }: Schema): TypePart[] {
  if (type === 'array') return [{ text: 'list of ' }, ...typeText(items ?? {})];
  if (type === 'object' && typeof additionalProperties === 'object')
    return [{ text: 'object of ' }, ...typeText(additionalProperties)];
  if (type === 'string' && format === 'date-time') return [{ text: 'time' }];
  if (type === 'string' && format === 'uri') return [{ text: 'URL' }];
  if (type === 'string' && format === 'binary') return [{ text: 'bytes' }];
  return [{ text: type }];
}

const joined = (all: readonly TypePart[][]): TypePart[] =>
  all.flatMap((part, at) => (at === 0 ? part : [{ text: ' or ' }, ...part]));

/** What else a value must be, such as `1 to 64 characters`; none when it is only the type. */
export function boundsText(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: fallback } = schema;
  const parts = [
    range(minLength || undefined, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    range(minimum, maximum, ''),
    fallback === undefined ? '' : `default ${JSON.stringify(fallback)}`,
  ];
  return parts.filter(Boolean).join(', ');
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  if (max !== undefined && max >= Number.MAX_SAFE_INTEGER) return range(min, undefined, unit);
  const least = min !== undefined && min <= -Number.MAX_SAFE_INTEGER ? undefined : min;
  if (least === undefined && max === undefined) return '';
  const figures =
    least === undefined ? `at most ${max}` : max === undefined ? `at least ${least}` : `${least} to ${max}`;
  return unit ? `${figures} ${unit}` : figures;
}

/** A field in a table of fields; those of objects within have dotted names. */
export interface Field {
  name: string;
  type: TypePart[];
  bounds: string;
  description: string;
  required: boolean;
}

const max_depth = 3;

/** The fields of an object, or of the items of a list; none for other types. */
export function fieldsOf(schema: Schema, shapes: Shapes, prefix = '', depth = 0): Field[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const own: Field = {
      name: prefix + name,
      type: typeText(field),
      bounds: boundsText(field),
      description: field.description ?? '',
      required: required.includes(name),
    };
    const inner = depth < max_depth ? innerObject(field, shapes) : null;
    return inner
      ? [own, ...fieldsOf(inner.schema, shapes, `${prefix}${name}${inner.mark}.`, depth + 1)]
      : [own];
  });
}

/** The object within a field that is described in place: no named shape, which has its own table. */
function innerObject(field: Schema, shapes: Shapes): { schema: Schema; mark: string } | null {
  if (refName(field)) return null;
  if (field.items) {
    const inner = innerObject(field.items, shapes);
    return inner && { ...inner, mark: `[]${inner.mark}` };
  }
  const object = field.anyOf?.find((one) => one.properties) ?? field;
  return resolved(object, shapes).properties ? { schema: object, mark: '' } : null;
}
