import { z } from 'zod';

/** The providers by which creators are paid, part of `settingsSchema`. */

const names = ['paypal', 'tremendous', 'bank', 'test'] as const;
export type PayoutName = (typeof names)[number];

const isName = (text: string): text is PayoutName => (names as readonly string[]).includes(text);

/** `off`, `test` by itself, or several others. */
const isList = (parts: string[]): boolean =>
  parts.length > 0 &&
  new Set(parts).size === parts.length &&
  (parts.length === 1
    ? parts[0] === 'off' || isName(parts[0]!)
    : parts.every((one) => isName(one) && one !== 'test'));

export const payoutSettings = {
  PAYOUTS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(isList)
    .transform((parts) => parts.filter(isName))
    .optional()
    .describe('off, test, or some of paypal, tremendous and bank with commas between'),
};
