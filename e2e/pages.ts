import { demoId } from '../db/demo/ids.ts';

/** A demo collection of two pages. */
export const slowEvenings = `/collection/${demoId('collection mirelle Slow evenings')}`;

interface KindOfPage {
  path: string;
  heading: string | RegExp;
  /** Whether only signed-in people see it. */
  signed_in?: true;
}

/** One page of every kind, with the heading that identifies it. */
export const pages: readonly KindOfPage[] = [
  { path: '/', heading: /Every good world/ },
  { path: '/shaders?q=light&s=downloads', heading: 'Shaders' },
  { path: '/mods?f=mobs&nf=library&g=fabric&f=cheese', heading: 'Mods' },
  { path: '/mods?q=lantern&g=rift', heading: 'Mods' },
  { path: '/mod/lanternroot', heading: 'Lanternroot' },
  { path: '/mod/lanternroot/gallery', heading: 'Lanternroot' },
  { path: '/mod/lanternroot/changelog?c=release', heading: 'Lanternroot' },
  { path: '/mod/lanternroot/versions', heading: 'Lanternroot' },
  { path: '/mod/lanternroot/version/2.4.1', heading: 'Lanternroot' },
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
  { path: '/news/changelog', heading: 'Changelog' },
  { path: '/news/changelog/app', heading: 'Changelog' },
  { path: '/news/changelog/web/2026-11-22', heading: /The whole public API/ },
  { path: '/docs', heading: 'Documentation' },
  { path: '/docs/operators/configuration', heading: 'Configuration' },
  { path: '/docs/creators/publish', heading: 'Publish a project' },
  { path: '/flags', heading: 'Feature flags' },
  { path: '/auth/sign-in', heading: 'Welcome back' },
  { path: '/auth/sign-up', heading: 'Create account' },
  { path: '/legal/privacy', heading: 'Privacy policy' },
  { path: '/legal/cmp', heading: 'Privacy choices' },
  { path: '/dev/ui', heading: 'Components' },
  { path: '/mod/never-was', heading: 'Project not found' },
  { path: '/user/nobody-at-all', heading: 'User not found' },
  { path: '/no/such/page', heading: 'Page not found' },
  { path: '/auth/reset-password', heading: /password/ },
  { path: '/settings/profile', heading: 'Profile', signed_in: true },
  { path: '/settings/account', heading: 'Account', signed_in: true },
  { path: '/settings/notifications', heading: 'Notifications', signed_in: true },
  { path: '/settings/sessions', heading: 'Sessions', signed_in: true },
  { path: '/settings/pats', heading: 'Tokens', signed_in: true },
  { path: '/settings/pats/new', heading: /token/, signed_in: true },
  { path: '/settings/applications', heading: 'Applications', signed_in: true },
  { path: '/settings/applications/new', heading: /app/, signed_in: true },
  { path: '/settings/authorizations', heading: 'Authorizations', signed_in: true },
  { path: '/dashboard', heading: /Welcome/, signed_in: true },
  { path: '/dashboard/notifications', heading: 'Notifications', signed_in: true },
  { path: '/dashboard/notifications/history', heading: /Notifications|History/, signed_in: true },
];

export const themes = ['dark', 'light', 'oled', 'retro'] as const;

/** The address in one of the test languages. */
export function inLanguage(path: string, tag: string): string {
  const [before, after] = path.split('#');
  const asked = `${before}${path.includes('?') ? '&' : '?'}hl=${tag}`;
  return after === undefined ? asked : `${asked}#${after}`;
}
