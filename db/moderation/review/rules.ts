import { type Status, statusTraits } from '../../catalogue/projects/rules.ts';
import type { RefusalCode } from '../../platform/errors.ts';

/** Full days that a project has waited. */
export const waitingDays = (since: string, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / 86_400_000));

export const verdicts = ['approve', 'withhold', 'reject'] as const;
export type Verdict = (typeof verdicts)[number];

/** The status that a verdict leads to: approved ones get what their members requested. Source: screens §A.1, §E.2. */
export function statusAfter(verdict: Verdict, status: Status, requested: Status | null): Status {
  if (verdict === 'withhold') return 'withheld';
  if (verdict === 'reject') return 'rejected';
  return statusTraits[status].approved ? status : (requested ?? 'approved');
}

/** Creators learn why their project is not public: only an approval needs no message. */
export const whyNotDecideWith = (verdict: Verdict, message: string): RefusalCode | null =>
  verdict === 'approve' || message.trim() !== '' ? null : 'review_message_missing';
