import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isModerator } from '../../platform/people/rules.ts';

/** What can be reported. Source: api-v2 §1.7. */
export const reportItems = ['project', 'version', 'user'] as const;

/** What staff decide about a report when they close it. Source: specification §4 (report badges). */
export const reportOutcomes = ['accepted', 'rejected', 'returned', 'withheld', 'approved'] as const;
export type ReportOutcome = (typeof reportOutcomes)[number];

/** What one person reported so far. */
export interface ReportedBefore {
  /** The id of their open report about the same item, null without one. */
  open: string | null;
  /** Their reports within 24 hours. */
  today: number;
}

/** Reports of one person within 24 hours. Source: screens §E.4. */
export const reports_per_day = 20;

/** One open report about an item and a person, and so many a day. Source: screens §E.4. */
export function whyNotReport({ open, today }: ReportedBefore): RefusalCode | null {
  if (open !== null) return 'report_open';
  return today >= reports_per_day ? 'too_many_reports' : null;
}

interface ViewedReport {
  reporter: string;
}

/** The reporter and moderators; for others there is no report. Source: api-behaviours §4. */
export const whyNotSeeReport = ({ reporter }: ViewedReport, viewer: Actor | null): RefusalCode | null =>
  viewer?.user_id === reporter || isModerator(viewer) ? null : 'not_found';

/** The list of everybody's reports. Source: specification §6. */
export const whyNotListReports = (viewer: Actor | null): RefusalCode | null =>
  isModerator(viewer) ? null : 'moderators_only';

/** Whoever sees a report edits its text; its state belongs to moderators. Source: api-v2 §10; api-behaviours §8. */
export const whyNotEditReport = (
  report: ViewedReport,
  change: { closed: boolean },
  actor: Actor,
): RefusalCode | null =>
  whyNotSeeReport(report, actor) ?? (change.closed && !isModerator(actor) ? 'report_closing' : null);

/** Moderators only. Source: api-behaviours §8. */
export const whyNotDeleteReport = (report: ViewedReport, actor: Actor): RefusalCode | null =>
  whyNotSeeReport(report, actor) ?? (isModerator(actor) ? null : 'moderators_only');
