import { z } from 'zod';
import { propertyDefinitions, propertyGroups } from './data/definitions.ts';
import type { PropertiesFile } from './file.ts';
import { propertyProblems, whyNotProperty } from './rules.ts';

/** One key of `server.properties` as its page shows it. */
export const propertyView = z.strictObject({
  key: z.string(),
  /** null: not in the file, so the game takes its default. */
  value: z.string().nullable(),
  /** null for keys that are not known. */
  default: z.string().nullable(),
  group: z.enum(propertyGroups).nullable(),
  /** It has several lines; the last one counts. */
  repeated: z.boolean(),
  /** What is wrong with the value in the file. */
  problem: z.enum(propertyProblems).nullable(),
});
export type PropertyView = z.output<typeof propertyView>;

/** Most keys that are shown; files with more are edited as text. */
const max_properties = 1_000;

/** Known keys in their order, whether they are in the file or not, then the others as the file has them. */
export function propertyViews({ values, repeated }: PropertiesFile): PropertyView[] {
  const known = Object.entries(propertyDefinitions).map(([key, { group, default: usual }]) => ({
    ...{ key, value: values.get(key) ?? null, default: usual, group },
  }));
  const others = [...values]
    .filter(([key]) => !Object.hasOwn(propertyDefinitions, key))
    .map(([key, value]) => ({ key, value, default: null, group: null }));
  return [...known, ...others].slice(0, max_properties).map((one) => ({
    ...one,
    repeated: repeated.includes(one.key),
    problem: one.value === null ? null : whyNotProperty(one.key, one.value),
  }));
}
