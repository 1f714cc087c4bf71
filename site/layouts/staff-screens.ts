import type { MessageKey } from '#content/keys.ts';

/** A page for staff: who sees it in menus. The page itself decides who may open it. */
export interface StaffScreen {
  path: string;
  name: MessageKey;
  icon: 'server' | 'megaphone' | 'mail';
  /** Who sees it: moderators and administrators, or administrators only. */
  audience: 'staff' | 'admin';
}

/** The pages of staff, in the order of their menu. An entry is added with its page. */
export const staffScreens: readonly StaffScreen[] = [
  { path: '/servers/admin', name: 'hosting_admin.nodes', icon: 'server', audience: 'admin' },
  { path: '/admin/servers/notices', name: 'hosting_admin.notices', icon: 'megaphone', audience: 'staff' },
  { path: '/admin/emails', name: 'email.templates', icon: 'mail', audience: 'admin' },
];

/** `aria-current` of the link to servers on the page at `path`: the page itself, or one below it that is not for staff. */
export function inServers(path: string): 'page' | 'true' | undefined {
  if (path === '/servers') return 'page';
  const isBelow = path.startsWith('/servers/') && !staffScreens.some((screen) => screen.path === path);
  return isBelow ? 'true' : undefined;
}
