import { z } from 'zod';
import { httpsUrl } from '#db/platform/shape.ts';

/** An address that may be left out, checked as the public API checks it. */
export const optionalUrl = z
  .string()
  .trim()
  .max(2048)
  .pipe(z.union([z.literal(''), httpsUrl]))
  .default('');
