import type { MessageKey } from '#content/keys.ts';
import type { StaffWaiting } from '#db/moderation/staff/waiting.ts';

/** A page for staff: who sees it in menus. The page itself decides who may open it. */
export interface StaffScreen {
  path: string;
  name: MessageKey;
  icon:
    | 'server'
    | 'megaphone'
    | 'mail'
    | 'flag'
    | 'review'
    | 'user'
    | 'file'
    | 'log'
    | 'gavel'
    | 'bell'
    | 'scan'
    | 'money'
    | 'overview'
    | 'payout'
    | 'shield';
  /** Who sees it: moderators and administrators, or administrators only. */
  audience: 'staff' | 'admin';
  /** What of it waits: the menu says how much. */
  waits?: keyof StaffWaiting;
}

/** The pages of staff, in the order of their menu. An entry is added with its page. */
export const staffScreens: readonly StaffScreen[] = [
  { path: '/admin', name: 'staff.overview', icon: 'overview', audience: 'admin' },
  { path: '/moderation', name: 'review.queue', icon: 'review', audience: 'staff', waits: 'review' },
  { path: '/moderation/reports', name: 'staff.reports', icon: 'flag', audience: 'staff', waits: 'reports' },
  {
    ...{ path: '/moderation/technical-review', name: 'technical_review.page', icon: 'scan' },
    ...{ audience: 'staff', waits: 'technical' },
  },
  {
    ...{ path: '/admin/takedowns', name: 'takedowns.takedowns', icon: 'gavel' },
    ...{ audience: 'staff', waits: 'takedowns' },
  },
  { path: '/admin/user_email', name: 'staff.find_account', icon: 'user', audience: 'staff' },
  { path: '/admin/file_lookup', name: 'staff.file_lookup', icon: 'file', audience: 'staff' },
  { path: '/admin/names', name: 'names.page', icon: 'user', audience: 'staff' },
  { path: '/servers/admin', name: 'hosting_admin.hosting', icon: 'server', audience: 'admin' },
  { path: '/admin/billing', name: 'staff_billing.ledger', icon: 'money', audience: 'admin' },
  { path: '/admin/payouts', name: 'staff_payouts.page', icon: 'payout', audience: 'admin', waits: 'payouts' },
  { path: '/admin/servers/notices', name: 'hosting_admin.notices', icon: 'megaphone', audience: 'staff' },
  { path: '/admin/staff-notices', name: 'staff_notices.page', icon: 'bell', audience: 'admin' },
  { path: '/admin/emails', name: 'email.templates', icon: 'mail', audience: 'admin' },
  { path: '/admin/audit', name: 'staff.audit', icon: 'log', audience: 'admin' },
  { path: '/admin/security', name: 'security_log.page', icon: 'shield', audience: 'staff' },
];

/** `aria-current` of the link to servers on the page at `path`: the page itself, or one below it that is not for staff. */
export function inServers(path: string): 'page' | 'true' | undefined {
  if (path === '/servers') return 'page';
  const isBelow = path.startsWith('/servers/') && !path.startsWith('/servers/admin');
  return isBelow ? 'true' : undefined;
}
