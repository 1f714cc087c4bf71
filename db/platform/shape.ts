import { z } from 'zod';
import { isId } from './id.ts';
import { oneLine, plainLines, showsSomething } from './plain-text/rules.ts';

/** Building blocks of schemas. */

/** Nobody is shown a regular expression: what a pattern refuses without words of its own is refused with these. */
z.config({
  customError: (issue) =>
    issue.code === 'invalid_format' && issue.format === 'regex'
      ? 'has a form that is not allowed here'
      : undefined,
});

const between = (n: number, min: number, max: number) => n >= min && n <= max;

/** Text that Postgres can store: without U+0000 and lone surrogates. */
const storable = () =>
  z
    .string()
    .refine((text) => !text.includes('\0'), 'must not hold the character U+0000')
    .refine((text) => text.isWellFormed(), 'must not hold halves of characters (lone surrogates)');

/** Refuses a text of another length, with the bounds and its length for forms (`errorsOfShape`). */
const ofLength =
  (min: number, max: number) =>
  (text: string, context: z.core.$RefinementCtx): void => {
    const { length } = [...text];
    if (between(length, min, max)) return;
    const params = { minimum: min, maximum: max, length };
    context.addIssue({ code: 'custom', message: `must have ${min} to ${max} characters`, params });
  };
const blank = { error: 'must not be blank', params: { length: 0 } };

/**
 * Text of `min` to `max` Unicode scalar values, without U+0000 and lone surrogates, which Postgres cannot store.
 * Source: api-v2 §1.2.
 */
export const boundedText = (min: number, max: number) =>
  storable().superRefine(ofLength(min, max)).meta({ minLength: min, maxLength: max });

/** Bounded text that shows something. */
export const nonBlankText = (min: number, max: number) => boundedText(min, max).refine(showsSomething, blank);

const stored = (form: (text: string) => string) => (min: number, max: number) =>
  storable()
    .transform(form)
    .refine((text) => min === 0 || text !== '', blank)
    .superRefine((text, context) => (text === '' ? undefined : ofLength(min, max)(text, context)))
    .meta({ minLength: min, maxLength: max });

/** A name or summary, as `oneLine` stores it; of at least one character unless `min` is 0. */
export const oneLineText = stored(oneLine);

/** A plain text of several lines, as `plainLines` stores it; of at least one character unless `min` is 0. */
export const linesText = stored(plainLines);

/** An API id: a base62 number of up to 64 bits. Source: api-v2 §1.2. */
export const idShape = z.string().refine(isId, 'is not an ID').meta({ example: 'AABBCCDD' });

/** Ids of images uploaded in a text editor. Source: api-v2 §4.1, §5.1; api-behaviours §15. */
export const uploadedImages = z.array(idShape).max(10);

/** An https URL of at most 2048 characters. Source: api-v2 §1.2. */
export const httpsUrl = boundedText(1, 2048)
  .refine((text) => URL.canParse(text) && new URL(text).protocol === 'https:', 'must be an https address')
  .meta({ format: 'uri' });

/** `shape` for objects that may have a field under an older name; the current name wins. */
export const withAliases = <S extends z.ZodType>(aliases: Readonly<Record<string, string>>, shape: S) =>
  z.preprocess((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const given = new Map(Object.entries(value));
    for (const [alias, field] of Object.entries(aliases)) {
      if (given.has(alias) && !given.has(field)) given.set(field, given.get(alias));
    }
    return Object.fromEntries(given);
  }, shape);
