import { z } from 'zod';
import { backupReasons, backupStates, backupTargets } from './rules.ts';

export type { BackupState } from './rules.ts';

/** A backup as the owner of its server sees it. */
export const backupView = z.strictObject({
  id: z.string(),
  name: z.string(),
  state: z.enum(backupStates),
  /** Of what is in progress: bytes. */
  progress: z.strictObject({ done: z.int(), total: z.int().nullable() }).nullable(),
  /** Why the last action on it failed, a refusal code; whether trying again may help. */
  error: z
    .strictObject({
      code: z.string(),
      retryable: z.boolean(),
      /** Fills its text, where that has placeholders. */
      data: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    })
    .nullable(),
  locked: z.boolean(),
  /** Made by a schedule or before a risky change. */
  automated: z.boolean(),
  /** Why it was made. */
  reason: z.enum(backupReasons),
  created: z.string(),
  ended: z.string().nullable(),
  /** What it takes at its target, and what its files have. */
  bytes: z.int().nullable(),
  content_bytes: z.int().nullable(),
  files: z.int().nullable(),
  /** Files that changed while they were read: the first 100, and how many. */
  changed: z.array(z.string()),
  changed_count: z.int(),
  game_version: z.string(),
  loader: z.string().nullable(),
  engine: z.enum(['archive', 'restic']),
  target: z.enum(backupTargets),
  verified: z.string().nullable(),
});
export type BackupView = z.output<typeof backupView>;

/** Which automated backups stay: the newest ones, and the newest of so many hours, days and weeks; 0 is none. */
export const retentionRules = z.strictObject({
  /** Hours between automated backups; null makes none. */
  every_hours: z.int().min(1).max(168).nullable(),
  last: z.int().min(1).max(15),
  hourly: z.int().min(0).max(15),
  daily: z.int().min(0).max(15),
  weekly: z.int().min(0).max(15),
});
export type RetentionRules = z.output<typeof retentionRules>;
