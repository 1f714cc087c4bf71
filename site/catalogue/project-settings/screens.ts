import ChartColumn from '@lucide/astro/icons/chart-column';
import FileQuestion from '@lucide/astro/icons/file-question-mark';
import FileText from '@lucide/astro/icons/file-text';
import Images from '@lucide/astro/icons/images';
import Info from '@lucide/astro/icons/info';
import LayoutDashboard from '@lucide/astro/icons/layout-dashboard';
import Link from '@lucide/astro/icons/link';
import Megaphone from '@lucide/astro/icons/megaphone';
import Monitor from '@lucide/astro/icons/monitor-smartphone';
import Package from '@lucide/astro/icons/package';
import Scale from '@lucide/astro/icons/scale';
import Tag from '@lucide/astro/icons/tag';
import Users from '@lucide/astro/icons/users';
import Webhook from '@lucide/astro/icons/webhook';
import type { MessageKey } from '#content/keys.ts';
import type { Permission } from '#db/catalogue/teams/rules.ts';

/** One page below `/{type}/{id}/settings`. */
export interface ProjectScreen {
  /** Its path below `/settings`; empty for the overview. */
  part: string;
  name: MessageKey;
  /** One sentence: what it holds. */
  text: MessageKey;
  icon: typeof LayoutDashboard;
  /** What a member needs to change something there; without it the page can be read only. Null: nothing is changed there. */
  needs: Permission | null;
  /** Whether only projects with modpacks have it. */
  of_packs?: true;
}

/** The pages of a project's settings, in the order of the side navigation. Source: specification §2. */
export const projectScreens: readonly ProjectScreen[] = [
  {
    part: '',
    name: 'project_settings.overview',
    text: 'project_settings.overview_text',
    icon: LayoutDashboard,
    needs: null,
  },
  {
    part: 'general',
    name: 'project_settings.general',
    text: 'project_settings.general_text',
    icon: Info,
    needs: 'EDIT_DETAILS',
  },
  {
    part: 'description',
    name: 'editor.description',
    text: 'editor.description_text',
    icon: FileText,
    needs: 'EDIT_BODY',
  },
  {
    part: 'environment',
    name: 'project_settings.environment',
    text: 'project_settings.environment_text',
    icon: Monitor,
    needs: 'UPLOAD_VERSION',
  },
  {
    part: 'license',
    name: 'project_settings.license',
    text: 'project_settings.license_text',
    icon: Scale,
    needs: 'EDIT_DETAILS',
  },
  {
    part: 'links',
    name: 'project_settings.links',
    text: 'project_settings.links_text',
    icon: Link,
    needs: 'EDIT_DETAILS',
  },
  {
    part: 'tags',
    name: 'project_settings.tags',
    text: 'project_settings.tags_text',
    icon: Tag,
    needs: 'EDIT_DETAILS',
  },
  {
    part: 'disclosures',
    name: 'disclosures.disclosures',
    text: 'disclosures.text',
    icon: Megaphone,
    needs: 'EDIT_DETAILS',
  },
  {
    part: 'gallery',
    name: 'project.gallery',
    text: 'gallery.settings_text',
    icon: Images,
    needs: 'EDIT_DETAILS',
  },
  // its parts need different permissions, and everybody may leave
  { part: 'members', name: 'team.members', text: 'team.members_text', icon: Users, needs: null },
  {
    part: 'analytics',
    name: 'project_analytics.title',
    text: 'project_analytics.text',
    icon: ChartColumn,
    needs: 'VIEW_ANALYTICS',
  },
  {
    part: 'webhooks',
    name: 'webhooks.title',
    text: 'webhooks.text',
    icon: Webhook,
    needs: 'EDIT_DETAILS',
  },
  {
    part: 'versions',
    name: 'publish.settings',
    text: 'publish.settings_text',
    icon: Package,
    needs: 'UPLOAD_VERSION',
  },
  {
    part: 'attribution',
    name: 'attribution.screen',
    text: 'attribution.text',
    icon: FileQuestion,
    needs: 'UPLOAD_VERSION',
    of_packs: true,
  },
];

/** The screen with this path. */
export const projectScreen = (part: string): ProjectScreen =>
  projectScreens.find((screen) => screen.part === part)!;
