import type { MessageKey } from '#content/keys.ts';
import type { Report } from '#db/reports/shape.ts';

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
