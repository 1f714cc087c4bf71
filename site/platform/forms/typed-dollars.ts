import { z } from 'zod';
import { minorTyped } from './typed-number.ts';

/** Dollars as they are typed, as minor units: the page of the form reads them by the same rule. */
export const typedDollars = z
  .string()
  .max(30)
  .transform((typed, context) => {
    const minor = minorTyped(typed);
    if (minor !== null) return minor;
    context.addIssue({ code: 'custom', message: 'must be an amount' });
    return z.NEVER;
  });
