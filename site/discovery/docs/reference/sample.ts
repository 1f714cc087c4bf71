import { example_hash } from '../../../platform/route/parameters.ts';
import { refName, resolved, type Schema, type Shapes } from './document.ts';

/** Values by the name of a field, so that examples read like answers. */
const byName: Readonly<Record<string, unknown>> = {
  id: 'AABBCCDD',
  project_id: 'Rnra4BIf',
  version_id: '6VMVHeOJ',
  team: 'y5aS4Xsi',
  team_id: 'y5aS4Xsi',
  user_id: 'qk1Wc3Bd',
  slug: 'lanternroot',
  title: 'Lanternroot',
  name: 'Lanternroot',
  username: 'mirelle',
  author: 'mirelle',
  summary: 'Roots that glow where you have walked.',
  description: 'Roots that glow where you have walked.',
  body: '# Lanternroot',
  project_type: 'mod',
  version_number: '2.4.1',
  changelog: 'Roots glow in snow too.',
  loaders: ['fabric'],
  game_versions: ['1.21.4'],
  categories: ['utility'],
  hashes: { sha1: 'c2f1…', sha512: '9be0…' },
  hash: example_hash,
  filename: 'lanternroot-2.4.1.jar',
  file_parts: ['file'],
  email: 'ada@example.org',
  redirect_uris: ['https://example.org/callback'],
  redirect_uri: 'https://example.org/callback',
  client_id: 'AABBCCDD',
  client_secret: 'the-secret-of-your-app',
  license_id: 'MIT',
  size: 48_213,
  color: 8_363_264,
  downloads: 1204,
  followers: 87,
  follows: 87,
};

/** Values in requests, so that an example can be sent as it is: nothing else has these names, and no dependency is missing. */
const inRequests: Readonly<Record<string, unknown>> = {
  slug: 'first-stone',
  title: 'First stone',
  name: 'First stone',
  dependencies: [],
};

/** Lists in requests, whose fields of the same name are objects in answers. */
const listsByName: Readonly<Record<string, unknown[]>> = { hashes: [example_hash] };

/** Fields that need not be sent, but without which a request that can have the other fields says little. */
const telling: Readonly<Record<string, readonly string[]>> = {
  loaders: ['version_types'],
  game_versions: ['version_types', 'file_parts'],
  client_id: ['client_secret'],
  client_secret: ['client_id'],
  redirect_uri: ['code_verifier'],
};

const max_depth = 6;

interface Options {
  shapes: Shapes;
  /** Leaves out fields that need not be sent; of an object without others the first one stays. */
  essential?: boolean;
}

/** A value that a schema allows, for examples. */
export function sample(schema: Schema, options: Options, name = '', depth = 0): unknown {
  const { $ref, example, type, enum: allowed, anyOf, oneOf, allOf } = resolved(schema, options.shapes);
  const self = resolved(schema, options.shapes);
  const next = (inner: Schema, key = name) => sample(inner, options, key, depth + 1);
  if ($ref || depth > max_depth) return null;
  if (self.const !== undefined) return self.const;
  if (allowed) return allowed[0];
  const choice = anyOf ?? oneOf;
  if (choice)
    return next(choice.find((one) => one.type !== 'null' && one.enum?.[0] !== '') ?? choice[0] ?? {});
  if (allOf?.[0]) return next(allOf[0]);
  const types = [type ?? 'null'].flat();
  const fitting = (options.essential ? inRequests[name] : undefined) ?? byName[name];
  if (fitting !== undefined && !self.properties && types.includes(kindOf(fitting))) return fitting;
  if (example !== undefined) return example;
  if (types.includes('array') && listsByName[name] && !self.items?.properties) return listsByName[name];
  if (types.includes('array')) return self.items ? [next(self.items, singular(name))] : [];
  if (types.includes('object')) return objectSample(self, options, next);
  if (types.includes('integer') || types.includes('number')) return Math.max(self.minimum ?? 0, 0);
  if (types.includes('boolean')) return false;
  if (!types.includes('string')) return null;
  return textSample(self);
}

function objectSample(
  { properties, required = [], additionalProperties }: Schema,
  { essential = false }: Options,
  next: (schema: Schema, key?: string) => unknown,
): unknown {
  if (!properties)
    return typeof additionalProperties === 'object' ? { [hash]: next(additionalProperties, '') } : {};
  const names = Object.keys(properties);
  const isTelling = (name: string) => telling[name]?.some((other) => other in properties);
  const wanted = essential ? names.filter((name) => required.includes(name) || isTelling(name)) : names;
  const shown = wanted.length > 0 ? wanted : names.slice(0, 1);
  return Object.fromEntries(shown.map((name) => [name, next(properties[name]!, name)]));
}

const hash = '9be0…';
const singular = (name: string): string => name.replace(/s$/, '');
const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'number' ? 'integer' : typeof value;

function textSample({ format }: Schema): string {
  if (format === 'date-time') return '2026-11-22T18:30:00Z';
  if (format === 'uri') return 'https://example.org';
  return 'text';
}

/** The shape that an answer is, or a list of it is, or the object of it; null for others. */
export const namedShape = (schema: Schema): string | null =>
  refName(schema) ?? (schema.items ? namedShape(schema.items) : null);
