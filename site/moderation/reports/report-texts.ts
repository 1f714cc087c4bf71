import type { MessageKey } from '#content/keys.ts';
import type { ReportOutcome } from '#db/moderation/reports/rules.ts';
import type { Report } from '#db/moderation/reports/shape.ts';

type Reason = 'spam' | 'copyright' | 'inappropriate' | 'malicious' | 'name-squatting';

/** The reasons with what each asks for. Source: screens §A.9 (report), §A.0 (17). */
export const reasonTexts: Readonly<Record<Reason, { name: MessageKey; text: MessageKey }>> = {
  spam: { name: 'reports.spam', text: 'reports.spam_text' },
  copyright: { name: 'reports.copyright', text: 'reports.copyright_text' },
  inappropriate: { name: 'reports.inappropriate', text: 'reports.inappropriate_text' },
  malicious: { name: 'reports.malicious', text: 'reports.malicious_text' },
  'name-squatting': { name: 'reports.name_squatting', text: 'reports.name_squatting_text' },
};

/** The name of a reason; reports of older kinds keep theirs. */
export const reasonName = (type: string): MessageKey | null =>
  Object.hasOwn(reasonTexts, type) ? reasonTexts[type as Reason].name : null;

export const typeTexts: Readonly<Record<Report['item_type'], MessageKey>> = {
  project: 'reports.type_project',
  version: 'reports.type_version',
  user: 'reports.type_user',
  unknown: 'reports.type_unknown',
};

/** The badge of a report as its reporter sees it. Source: specification §4 (report badges). */
export const stateOf = ({ closed }: Pick<Report, 'closed'>): { text: MessageKey; tone: string } =>
  closed ? { text: 'reports.state_closed', tone: '' } : { text: 'reports.state_pending', tone: 'warn' };

/** What decisions about reports are called, with the color of their badges. Source: specification §4 (report badges). */
export const outcomeTexts: Readonly<Record<ReportOutcome, { text: MessageKey; tone: string }>> = {
  accepted: { text: 'reports.state_accepted', tone: 'good' },
  rejected: { text: 'reports.state_rejected', tone: '' },
  returned: { text: 'reports.state_returned', tone: 'warn' },
  withheld: { text: 'reports.state_withheld', tone: 'bad' },
  approved: { text: 'reports.state_approved', tone: 'good' },
};

/** The badge of a report as staff see it: whether it waits, was answered, or how it was closed. */
export function staffStateOf({
  closed,
  outcome,
  is_unread,
}: {
  closed: boolean;
  outcome: ReportOutcome | null;
  is_unread: boolean;
}): { text: MessageKey; tone: string } {
  if (outcome !== null) return outcomeTexts[outcome];
  if (closed) return { text: 'reports.state_closed', tone: '' };
  return is_unread
    ? { text: 'reports.state_pending', tone: 'warn' }
    : { text: 'reports.state_processed', tone: 'good' };
}
