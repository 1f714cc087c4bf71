import { demoAccounts } from '../db/demo/demo.ts';
import { demoId } from '../db/demo/ids.ts';

/** A demo collection of two pages. */
export const slowEvenings = `/collection/${demoId('collection mirelle Slow evenings')}`;

interface KindOfPage {
  path: string;
  heading: string | RegExp;
  /** Whether only signed-in people see it: the creator of the demo content, or who is named. */
  signed_in?: true | 'admin';
  /** Whether only moderators see it. */
  staff?: true;
}

/** One page of every kind, with the heading that identifies it. */
export const pages: readonly KindOfPage[] = [
  { path: '/', heading: /Every good .Minecraft. world/ },
  { path: '/shaders?q=light&s=downloads', heading: 'Shaders' },
  { path: '/mods?f=mobs&nf=library&g=fabric&f=cheese', heading: 'Mods' },
  { path: '/mods?q=lantern&g=rift', heading: 'Mods' },
  { path: '/modpacks?sid=0&v=1.21.4', heading: 'Modpacks' },
  { path: '/mod/lanternroot', heading: 'Lanternroot' },
  { path: '/mod/lanternroot/gallery', heading: 'Lanternroot' },
  { path: '/mod/lanternroot/changelog?c=release', heading: 'Lanternroot' },
  { path: '/mod/lanternroot/versions', heading: 'Lanternroot' },
  { path: '/mod/lanternroot/version/2.4.1', heading: 'Lanternroot' },
  { path: '/mod/lanternroot/version/2.4.1-new', heading: 'Lanternroot' },
  { path: '/modpack/long-winter/contents', heading: 'Long Winter' },
  { path: '/user/fen?s=updated', heading: 'fen' },
  { path: '/user/fen/collections', heading: 'fen' },
  { path: slowEvenings, heading: 'Slow evenings' },
  { path: '/organization/stonewrights/mods', heading: 'Stonewrights' },
  { path: '/settings', heading: 'Display' },
  { path: '/settings/language', heading: 'Language' },
  { path: '/servers?interval=yearly#q-trial', heading: /A server your friends/ },
  { path: '/news', heading: 'News' },
  { path: '/news/topic/hosting', heading: 'News: Hosting' },
  { path: '/news/article/how-search-works', heading: 'How search works' },
  { path: '/app', heading: 'App and launchers' },
  { path: '/frog', heading: 'The frog' },
  { path: '/plus', heading: /Plus$/ },
  { path: '/news/changelog', heading: 'Changelog' },
  { path: '/news/changelog/app', heading: 'Changelog' },
  { path: '/news/changelog/web/2026-11-22', heading: /The whole public API/ },
  { path: '/docs', heading: 'Documentation' },
  { path: '/docs/operators/configuration', heading: 'Configuration' },
  { path: '/docs/creators/publish', heading: 'Publish a project' },
  { path: '/docs/api', heading: 'The API' },
  { path: '/docs/api/authentication', heading: 'Authentication and scopes' },
  { path: '/docs/api/versions', heading: 'Versions' },
  { path: '/docs/api/errors', heading: 'Errors' },
  { path: '/flags', heading: 'Feature flags' },
  { path: '/auth/sign-in', heading: 'Welcome back' },
  { path: '/auth/sign-up', heading: 'Create account' },
  { path: '/legal/privacy', heading: 'Privacy policy' },
  { path: '/legal/transparency', heading: 'Transparency' },
  { path: '/statistics', heading: 'Statistics' },
  { path: '/legal/cmp', heading: 'Privacy choices' },
  { path: '/dev/ui', heading: 'Components' },
  { path: '/mod/never-was', heading: 'Project not found' },
  { path: '/user/nobody-at-all', heading: 'User not found' },
  { path: '/no/such/page', heading: 'Page not found' },
  { path: '/auth/reset-password', heading: /password/ },
  { path: '/settings/profile', heading: 'Profile', signed_in: true },
  { path: '/settings/account', heading: 'Account', signed_in: true },
  { path: '/settings/notifications', heading: 'Notifications', signed_in: true },
  {
    path: `/settings/notifications/${demoId('project millrace')}`,
    heading: 'Millrace',
    signed_in: true,
  },
  { path: '/settings/billing', heading: 'Billing', signed_in: true },
  { path: '/settings/billing/plus', heading: 'Plus', signed_in: true },
  { path: '/settings/billing/charges', heading: 'Payments', signed_in: true },
  { path: '/settings/sessions', heading: 'Sessions', signed_in: true },
  { path: '/settings/security-log', heading: 'Security log', signed_in: true },
  { path: '/settings/pats', heading: 'Tokens', signed_in: true },
  { path: '/settings/pats/new', heading: /token/, signed_in: true },
  { path: '/settings/applications', heading: 'Applications', signed_in: true },
  { path: '/settings/applications/new', heading: /app/, signed_in: true },
  { path: '/settings/authorizations', heading: 'Authorizations', signed_in: true },
  { path: '/mod/millrace/settings', heading: 'Overview', signed_in: true },
  { path: '/mod/millrace/settings/general', heading: 'General', signed_in: true },
  { path: '/modpack/kettle-and-cog/settings/attribution', heading: 'External files', signed_in: true },
  { path: '/mod/millrace/settings/disclosures', heading: 'Disclosures', signed_in: true },
  { path: '/mod/millrace/settings/environment', heading: 'Environment', signed_in: true },
  { path: '/mod/millrace/settings/license', heading: 'License', signed_in: true },
  { path: '/mod/millrace/settings/links', heading: 'Links', signed_in: true },
  { path: '/mod/millrace/settings/tags', heading: 'Tags', signed_in: true },
  { path: '/mod/millrace/settings/description', heading: 'Description', signed_in: true },
  { path: '/mod/millrace/settings/analytics', heading: 'Analytics', signed_in: true },
  { path: '/mod/millrace/settings/webhooks', heading: 'Webhooks', signed_in: true },
  { path: '/mod/millrace/settings/gallery', heading: 'Gallery', signed_in: true },
  { path: '/mod/millrace/settings/members', heading: 'Members', signed_in: true },
  { path: '/mod/millrace/settings/versions', heading: 'Versions', signed_in: true },
  { path: '/mod/millrace/version/create', heading: 'New version', signed_in: true },
  { path: '/mod/millrace/version/1.7.0/edit', heading: 'Edit version', signed_in: true },
  { path: '/organization/new', heading: 'New organization', signed_in: true },
  { path: '/organization/stonewrights/settings/webhooks', heading: 'Webhooks', signed_in: 'admin' },
  { path: '/organization/stonewrights/settings/analytics', heading: 'Analytics', signed_in: 'admin' },
  { path: '/report?type=project&item=lanternroot', heading: 'Report', signed_in: true },
  { path: '/admin/user_email', heading: 'Find account', staff: true },
  {
    path: '/admin/file_lookup?hash=da39a3ee5e6b4b0d3255bfef95601890afd80709',
    heading: 'Find file',
    staff: true,
  },
  { path: `/admin/user/${demoId('user player')}`, heading: 'player', staff: true },
  { path: '/admin/security', heading: 'Security log', staff: true },
  { path: '/moderation/technical-review', heading: 'Technical review', staff: true },
  { path: '/moderation/technical-review/code', heading: 'Decisions for all files', staff: true },
  { path: '/moderation/technical-review/works', heading: 'External works', staff: true },
  { path: '/moderation/technical-review-mockup', heading: 'Technical review (example)', staff: true },
  { path: '/moderation/reports?view=unread&q=lantern', heading: 'Reports', staff: true },
  { path: '/dashboard/reports', heading: 'Reports', signed_in: true },
  { path: '/mod/millrace/moderation', heading: 'Millrace', signed_in: true },
  { path: '/moderation', heading: 'Review queue', staff: true },
  { path: '/admin/billing', heading: 'Ledger', signed_in: 'admin' },
  { path: '/admin/payouts', heading: 'Payouts', signed_in: 'admin' },
  { path: '/admin/payouts/income', heading: 'Revenue', signed_in: 'admin' },
  { path: '/admin/billing/report', heading: 'Monthly report', signed_in: 'admin' },
  { path: `/admin/billing/${demoId('user player')}`, heading: /^Payments by .player/, signed_in: 'admin' },
  { path: '/admin/names', heading: 'Reserved names', staff: true },
  { path: '/admin/takedowns?view=all', heading: 'Takedowns', staff: true },
  { path: '/admin/takedowns/new', heading: 'New takedown', staff: true },
  { path: '/dashboard', heading: /Welcome/, signed_in: true },
  { path: '/dashboard/analytics', heading: 'Analytics', signed_in: true },
  { path: '/dashboard/revenue', heading: 'Revenue', signed_in: true },
  {
    path: '/dashboard/revenue/withdraw?country=US&method=paypal:paypal',
    heading: 'Withdraw',
    signed_in: true,
  },
  { path: '/dashboard/revenue/transfers', heading: 'Withdrawals', signed_in: true },
  { path: '/dashboard/revenue/tax', heading: 'Tax form', signed_in: true },
  // other tests give the creator more projects
  { path: '/dashboard/projects', heading: 'Projects', signed_in: 'admin' },
  { path: '/dashboard/projects/edit', heading: /^Edit/, signed_in: true },
  { path: '/dashboard/collections', heading: 'Collections', signed_in: true },
  { path: '/dashboard/organizations', heading: 'Organizations', signed_in: true },
  { path: '/dashboard/projects/new', heading: 'Create project', signed_in: true },
  { path: '/dashboard/collections/new', heading: 'Create collection', signed_in: true },
  { path: '/dashboard/notifications', heading: 'Notifications', signed_in: true },
  { path: '/dashboard/notifications/history', heading: /Notifications|History/, signed_in: true },
  { path: '/admin/staff-notices', heading: 'Staff alerts', signed_in: 'admin' },
];

/** The demo account that opens the page, or null: everybody sees it. */
export function readerOf({ signed_in, staff }: KindOfPage): string | null {
  if (staff) return demoAccounts[1]!;
  return signed_in ? demoAccounts[signed_in === 'admin' ? 0 : 2]! : null;
}

export const themes = ['dark', 'light', 'oled', 'retro'] as const;

/** The address in one of the test languages. */
export function inLanguage(path: string, tag: string): string {
  const [before, after] = path.split('#');
  const asked = `${before}${path.includes('?') ? '&' : '?'}hl=${tag}`;
  return after === undefined ? asked : `${asked}#${after}`;
}
