import { z } from 'zod';
import { activityKinds } from './rules.ts';

/** Something that was done on a server. */
export const activityEntry = z.strictObject({
  /** Of the audit log; newer ones are greater. */
  id: z.int(),
  at: z.string(),
  kind: z.enum(activityKinds),
  /** The event. */
  name: z.string(),
  /** Who did it: a person by name (null when the account is gone), staff, whose names are not told, or Cairn itself. */
  by: z.enum(['person', 'staff', 'system']),
  username: z.string().nullable(),
  /** The person that it was done to; null also when the account is gone. */
  member: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});
export type ActivityEntry = z.output<typeof activityEntry>;
