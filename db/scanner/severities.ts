/** How grave a trace is, the least first. Source: api-v3 §5. */
export const severities = ['low', 'medium', 'high', 'severe', 'malware'] as const;
export type Severity = (typeof severities)[number];

/** Whether `severity` is at least as grave as `least`. */
export const isAtLeast = (severity: Severity, least: Severity): boolean =>
  severities.indexOf(severity) >= severities.indexOf(least);

/** The gravest of these; null without any. */
export const gravest = (all: readonly Severity[]): Severity | null =>
  all.reduce<Severity | null>((a, b) => (a === null || isAtLeast(b, a) ? b : a), null);
