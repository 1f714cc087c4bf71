import type { Severity } from '#db/moderation/scanner/rules.ts';
import type { TraceStatus } from '#db/moderation/technical-review/rules.ts';

export const severityTone: Record<Severity, 'note' | 'warn' | 'bad' | ''> = {
  low: '',
  medium: 'note',
  high: 'warn',
  severe: 'bad',
  malware: 'bad',
};
export const statusTone: Record<TraceStatus, 'warn' | 'good' | 'bad'> = {
  pending: 'warn',
  safe: 'good',
  unsafe: 'bad',
};
