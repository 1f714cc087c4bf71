import { isAtLeast, type Severity } from '../scanner/rules.ts';

/** What somebody decided about a trace. */
export const verdicts = ['safe', 'unsafe'] as const;
export type Verdict = (typeof verdicts)[number];
export const traceStatuses = ['pending', ...verdicts] as const;
export type TraceStatus = (typeof traceStatuses)[number];

/** The issue type of what people report about a file. */
export const manual_type = 'manual_report';

/** What counts for a trace: the verdict about it, else the one about the same code everywhere. */
export const statusOf = (local: Verdict | null, everywhere: Verdict | null): TraceStatus =>
  local ?? everywhere ?? 'pending';

/** Traces of severity low only say what is there: nobody has to decide about them. */
export const needsVerdict = (severity: Severity): boolean => isAtLeast(severity, 'medium');

/** Whether a trace keeps a version from the public: it is unsafe, or grave and nobody has decided. Source: api-v3 §5. */
export const isDangerous = ({ severity, status }: { severity: Severity; status: TraceStatus }): boolean =>
  status === 'unsafe' || (status === 'pending' && isAtLeast(severity, 'severe'));

/** What a clean record is: who has it, their versions are hidden by people only. */
export const cleanRecord = {
  /** Days since the account was made. */
  account_days: 90,
  /** Public versions that were scanned, of projects that were approved, and days between the first and the last of them. */
  versions: 10,
  days_between: 30,
} as const;
