import { z } from 'zod';

/** An operation as the user who requested it sees it. `error` is a refusal code, `result` that of its kind. */
export const operationView = z.strictObject({
  op_id: z.string(),
  kind: z.string(),
  state: z.enum(['waiting', 'accepted', 'done', 'failed', 'interrupted', 'expired']),
  /** Bytes or files; null while nothing is known. */
  progress: z.strictObject({ done: z.int(), total: z.int().nullable() }).nullable(),
  error: z.strictObject({ code: z.string(), description: z.string() }).nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
});
export type OperationView = z.output<typeof operationView>;
