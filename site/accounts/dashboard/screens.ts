import Bell from '@lucide/astro/icons/bell';
import Box from '@lucide/astro/icons/box';
import ChartColumn from '@lucide/astro/icons/chart-column';
import Coins from '@lucide/astro/icons/coins';
import Flag from '@lucide/astro/icons/flag';
import LayoutDashboard from '@lucide/astro/icons/layout-dashboard';
import Library from '@lucide/astro/icons/library-big';
import Server from '@lucide/astro/icons/server';
import Users from '@lucide/astro/icons/users';
import type { MessageKey } from '#content/keys.ts';

/** The pages of the dashboard, in the order of its side navigation. Source: specification §2 (/dashboard). */
export const dashboardScreens = [
  { path: '/dashboard', name: 'dashboard.overview', icon: LayoutDashboard },
  { path: '/dashboard/notifications', name: 'dashboard.notifications', icon: Bell },
  { path: '/dashboard/projects', name: 'dashboard.projects', icon: Box },
  { path: '/dashboard/analytics', name: 'analytics.title', icon: ChartColumn },
  { path: '/dashboard/revenue', name: 'revenue.title', icon: Coins },
  { path: '/dashboard/collections', name: 'dashboard.collections', icon: Library },
  { path: '/dashboard/organizations', name: 'dashboard.organizations', icon: Users },
  { path: '/dashboard/reports', name: 'reports.reports', icon: Flag },
  // pages of their own, which every renter looks for here
  { path: '/servers/manage', name: 'dashboard.servers', icon: Server },
] as const satisfies ReadonlyArray<{ path: string; name: MessageKey; icon: unknown }>;
