import ChartColumn from '@lucide/astro/icons/chart-column';
import LayoutDashboard from '@lucide/astro/icons/layout-dashboard';
import Folder from '@lucide/astro/icons/package';
import Users from '@lucide/astro/icons/users';
import Webhook from '@lucide/astro/icons/webhook';
import type { MessageKey } from '#content/keys.ts';

/** One page below `/organization/{id}/settings`. */
export interface OrganizationScreen {
  /** Its path below `/settings`; empty for the overview. */
  part: string;
  name: MessageKey;
  /** One sentence: what it holds. */
  text: MessageKey;
  icon: typeof LayoutDashboard;
}

/** The pages of an organization's settings, in the order of the side navigation. Source: specification §2. */
export const organizationScreens: readonly OrganizationScreen[] = [
  {
    part: '',
    name: 'organization_settings.overview',
    text: 'organization_settings.overview_text',
    icon: LayoutDashboard,
  },
  { part: 'members', name: 'team.members', text: 'organization_settings.members_text', icon: Users },
  {
    part: 'projects',
    name: 'organization_settings.projects',
    text: 'organization_settings.projects_text',
    icon: Folder,
  },
  { part: 'analytics', name: 'project_analytics.title', text: 'project_analytics.text', icon: ChartColumn },
  { part: 'webhooks', name: 'webhooks.title', text: 'webhooks.text', icon: Webhook },
];

/** The screen with this path. */
export const organizationScreen = (part: string): OrganizationScreen =>
  organizationScreens.find((screen) => screen.part === part)!;
