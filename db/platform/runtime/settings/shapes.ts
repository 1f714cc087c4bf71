import { z } from 'zod';

/** What a row of the table of settings says, and shapes that several rows share. */

/** A setting. What it means is in `sentences.ts`, which no process of the product loads. */
export interface Setting {
  /** Parses the text of the variable. Its description says which values are allowed. */
  shape: z.ZodType;
  /** As an operator would write it. A setting without one may be absent, or has a default that depends on others (`env.ts`). */
  default?: string;
  /** Whether its value is, or may contain, a password or key. */
  secret?: true;
}

const described = 'an address that begins with http:// or https://';
/** An http or https address, exactly as given. */
export const exactAddress = z.url({ protocol: /^https?$/ }).describe(described);
/** An http or https address to which paths are added: without slashes at its end. */
export const address = exactAddress.transform((text) => text.replace(/(?<!\/)\/+$/, '')).describe(described);

/** Texts with commas between; spaces around them and empty ones do not count. */
export const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

/** A text for people, on one line. */
export const line = z
  .string()
  .regex(/^[^\p{Cc}]{1,300}$/u)
  .describe('a text of up to 300 characters on one line');

/** A whole number in these bounds. */
export const integerBetween = (min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).describe(`a whole number from ${min} to ${max}`);

/** A number of bytes, up to a terabyte. */
export const bytes = integerBetween(1, 2 ** 40);

/** One of these words. */
export const oneOf = <const T extends [string, ...string[]]>(...values: T) =>
  z.enum(values).describe(`one of ${values.join(', ')}`);

export const onOff = oneOf('on', 'off');

/** A path below which files are, or of one file. */
export const path = z.string().regex(/^[^\0]+$/);

/** An address or name on which this machine listens. */
export const ownHost = z
  .string()
  .regex(/^[\w.:[\]-]+$/)
  .describe('an address or name of this machine');
