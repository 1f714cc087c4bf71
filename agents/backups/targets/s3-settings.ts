import { z } from 'zod';

/** A store with the interface of S3, and the credentials of this node for it. */
export const s3Settings = z.object({
  endpoint: z.string().regex(/^https?:\/\/./),
  region: z.string().min(1),
  bucket: z.string().min(1),
  /** Begins all names, without a `/` at its end; may be empty. */
  prefix: z.string(),
  access_key: z.string().min(1),
  secret_key: z.string().min(1),
  /** A store that takes or sends nothing for this many milliseconds does not work. */
  idle_ms: z.int().positive(),
});
export type S3Settings = z.output<typeof s3Settings>;
