import Bell from '@lucide/astro/icons/bell';
import LayoutDashboard from '@lucide/astro/icons/layout-dashboard';
import type { MessageKey } from '#content/keys.ts';

/** The pages of the dashboard, in the order of its side navigation. Source: specification §2 (/dashboard). */
export const dashboardScreens = [
  { path: '/dashboard', name: 'dashboard.overview', icon: LayoutDashboard },
  { path: '/dashboard/notifications', name: 'dashboard.notifications', icon: Bell },
] as const satisfies ReadonlyArray<{ path: string; name: MessageKey; icon: unknown }>;
