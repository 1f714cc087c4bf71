import Bell from '@lucide/astro/icons/bell';
import Languages from '@lucide/astro/icons/languages';
import MonitorSmartphone from '@lucide/astro/icons/monitor-smartphone';
import Palette from '@lucide/astro/icons/palette';
import UserRound from '@lucide/astro/icons/user-round';
import type { MessageKey } from '#content/keys.ts';

/** The settings pages, in the order of the side navigation. Source: specification §2 (/settings). */
export const settingsScreens = [
  { path: '/settings', name: 'settings.display', icon: Palette },
  { path: '/settings/language', name: 'settings.language', icon: Languages },
  { path: '/settings/account', name: 'settings.account', icon: UserRound, signed_in: true },
  { path: '/settings/notifications', name: 'settings.notifications', icon: Bell, signed_in: true },
  { path: '/settings/sessions', name: 'settings.sessions', icon: MonitorSmartphone, signed_in: true },
] as const satisfies ReadonlyArray<{ path: string; name: MessageKey; icon: unknown; signed_in?: true }>;
