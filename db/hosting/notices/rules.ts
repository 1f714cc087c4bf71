import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isAdmin, isModerator } from '../../platform/people/rules.ts';

/** Notices for users who rent servers. Source: specification §6 (manage server notices); decisions §4.3. */

export const noticeLevels = ['info', 'warn', 'critical', 'survey'] as const;

/** Why `actor` may not write notices, or null: moderators manage them. */
export const whyNotManageNotices = (actor: Actor | null): RefusalCode | null =>
  !actor ? 'authentication_required' : isModerator(actor) || isAdmin(actor) ? null : 'moderators_only';

/** Why a notice cannot have these dates, or null. */
export const whyNotDates = (begins: Date, expires: Date | null): RefusalCode | null =>
  expires !== null && expires <= begins ? 'notice_dates' : null;
