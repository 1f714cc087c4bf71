import { propertyDefinitions } from './data/definitions.ts';

/** Rules for values of `server.properties`: the same for the page, the socket and the command line. */

/** Most keys that one change has, longest key, and longest value of a key that is not known. */
export const max_changed_properties = 200;
const key_length = 100;
const value_length = 4_000;

/** What is wrong with a key or its value. */
export const propertyProblems = [
  'key',
  'boolean',
  'integer',
  'range',
  'choice',
  'long',
  'control',
  'fixed',
  'url',
  'sha1',
  'folder',
] as const;
export type PropertyProblem = (typeof propertyProblems)[number];

/** Why a key cannot have this value, or null. Keys that are not known may have any text of one line. */
export function whyNotProperty(key: string, value: string): PropertyProblem | null {
  if (key === '' || key.length > key_length || /[\p{Cc}\s=:#!\\]/u.test(key)) return 'key';
  // a value has two lines by a written \n, as the game reads it
  if (/[\p{Cc}\u2028\u2029]/u.test(value.replaceAll('\n', '')) || !value.isWellFormed()) return 'control';
  if (!Object.hasOwn(propertyDefinitions, key)) return value.length > value_length ? 'long' : null;
  const { is } = propertyDefinitions[key]!;
  if (is.type === 'boolean') return value === 'true' || value === 'false' ? null : 'boolean';
  if (is.type === 'choice') return is.choices.includes(value) ? null : 'choice';
  if (is.type === 'fixed') return value === is.value ? null : 'fixed';
  if (is.type === 'text') return value.length > is.length ? 'long' : whyNotText(key, value);
  if (!/^-?\d{1,10}$/.test(value)) return 'integer';
  return Number(value) < is.min || Number(value) > is.max ? 'range' : null;
}

function whyNotText(key: string, value: string): PropertyProblem | null {
  if (key === 'level-name')
    return /^[^/\\:*?"<>|]{1,64}$/u.test(value) && !/^\.+$/.test(value) ? null : 'folder';
  if (value === '') return null;
  if (key === 'resource-pack' || key === 'bug-report-link')
    return URL.canParse(value) && /^https?:/.test(value) ? null : 'url';
  return key === 'resource-pack-sha1' && !/^[0-9a-f]{40}$/i.test(value) ? 'sha1' : null;
}

/** The first change that is not possible, or null. */
export function whyNotProperties(
  changes: Readonly<Record<string, string>>,
): { key: string; why: PropertyProblem } | null {
  for (const [key, value] of Object.entries(changes)) {
    const why = whyNotProperty(key, value);
    if (why) return { key, why };
  }
  return null;
}
