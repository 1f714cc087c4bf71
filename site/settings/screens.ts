import Languages from '@lucide/astro/icons/languages';
import Palette from '@lucide/astro/icons/palette';

/** The settings pages, in the order of the side navigation. Source: specification §2 (/settings). */
export const settingsScreens = [
  { path: '/settings', name: 'settings.display', icon: Palette },
  { path: '/settings/language', name: 'settings.language', icon: Languages },
] as const;
