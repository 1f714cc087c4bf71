import { z } from 'zod';
import { statuses } from '../../catalogue/projects/rules.ts';
import { boundedText, idShape } from '../../platform/shape.ts';
import { severities } from '../scanner/rules.ts';
import { traceStatuses, verdicts } from './rules.ts';

/** Shapes of technical review. Source: api-v3 §5. */

const time = z.string();
const issueType = z
  .string()
  .regex(/^[a-z][a-z_]{0,63}$/, 'must be a name of lower-case letters and underscores');
export const keyShape = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case');

const traceShape = z.object({
  id: z.string(),
  issue_id: z.string(),
  key: z.string(),
  jar: z.string().nullable(),
  file_path: z.string(),
  /** What the code does: its instructions. */
  decompiled_source: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
  severity: z.enum(severities),
  local_status: z.enum(verdicts).nullable(),
  global_status: z.enum(verdicts).nullable(),
  status: z.enum(traceStatuses),
});
export type ReviewedTrace = z.output<typeof traceShape>;

export const issueShape = z.object({
  id: z.string(),
  report_id: z.string(),
  issue_type: z.string(),
  details: z.array(traceShape),
});

export const fileReportShape = z.object({
  report_id: z.string(),
  file_id: z.string(),
  created: time,
  flag_reason: z.enum(['delphi', 'manual']),
  severity: z.enum(severities),
  file_name: z.string(),
  file_size: z.int(),
  download_url: z.string(),
  issues: z.array(issueShape),
});
export type FileReport = z.output<typeof fileReportShape>;

export const projectReportShape = z.object({
  project_id: z.string(),
  max_severity: z.enum(severities),
  versions: z.array(z.object({ version_id: z.string(), files: z.array(fileReportShape) })),
});
export type ProjectReport = z.output<typeof projectReportShape>;

export const reviewSorts = ['severity_desc', 'severity_asc', 'created_asc', 'created_desc'] as const;
export const searchShape = z.object({
  limit: z
    .int()
    .min(1)
    .max(200)
    .default(20)
    .transform((limit) => Math.max(50, limit)),
  page: z.int().min(0).max(10_000).default(0),
  filter: z
    .object({
      project_type: z.array(z.string().max(64)).max(32).default([]),
      replied_to: z.enum(['replied', 'unreplied']).nullish(),
      project_status: z.array(z.enum(statuses)).max(32).default([]),
      issue_type: z.array(issueType).max(64).default([]),
    })
    .prefault({}),
  sort_by: z.enum(reviewSorts).default('severity_desc'),
});
export type ReviewSearch = z.output<typeof searchShape>;

export const decisionsShape = z
  .array(z.object({ detail_id: idShape, verdict: z.enum(traceStatuses) }))
  .min(1)
  .max(500);
export const everywhereShape = z
  .array(z.object({ detail_key: keyShape, verdict: z.enum(traceStatuses) }))
  .min(1)
  .max(100);
export const codeSearchShape = z.object({
  limit: z.int().min(1).max(100).default(20),
  page: z.int().min(0).max(10_000).default(0),
  query: boundedText(0, 200).default(''),
});
export const codeShape = z.object({
  key: z.string(),
  verdict: z.enum(verdicts),
  decided: time,
  decided_by: z.string().nullable(),
  issue_type: z.string().nullable(),
  severity: z.enum(severities).nullable(),
  decompiled_source: z.string().nullable(),
  /** In how many files it was found. */
  files: z.int(),
});
/** A place where code was found. */
export const placeShape = z.object({
  detail_id: z.string(),
  project_id: z.string(),
  version_id: z.string(),
  file_id: z.string(),
  file_path: z.string(),
  jar: z.string().nullable(),
  status: z.enum(traceStatuses),
});
export type CodePlace = z.output<typeof placeShape>;
export const submitShape = z.object({ verdict: z.enum(verdicts), message: boundedText(0, 65_536).nullish() });
export const manualShape = z.object({
  file_id: idShape,
  severity: z.enum(severities).default('high'),
  reason: boundedText(1, 4096),
});

/** What another scanner found in a file. */
export const ingestShape = z.object({
  file_id: idShape,
  issues: z.record(
    issueType,
    z
      .array(
        z.object({
          key: keyShape,
          jar: boundedText(0, 1024).nullish(),
          file_path: boundedText(0, 1024),
          decompiled_source: boundedText(0, 4096).nullish(),
          severity: z.enum(severities),
          data: z.record(z.string().max(64), boundedText(0, 1024)).default({}),
        }),
      )
      .max(200),
  ),
});
