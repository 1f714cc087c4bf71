import type { RefusalCode } from '../errors.ts';
import { type Actor, isModerator } from '../people/rules.ts';

/** What can be reported. Source: api-v2 §1.7. */
export const reportItems = ['project', 'version', 'user'] as const;

interface ViewedReport {
  reporter: string;
}

/** The reporter and moderators; for others there is no report. Source: api-behaviours §4. */
export const whyNotSeeReport = ({ reporter }: ViewedReport, viewer: Actor | null): RefusalCode | null =>
  viewer?.user_id === reporter || isModerator(viewer) ? null : 'not_found';

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
