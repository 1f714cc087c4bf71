import AppWindow from '@lucide/astro/icons/app-window';
import Bell from '@lucide/astro/icons/bell';
import CreditCard from '@lucide/astro/icons/credit-card';
import IdCard from '@lucide/astro/icons/id-card';
import KeyRound from '@lucide/astro/icons/key-round';
import Languages from '@lucide/astro/icons/languages';
import MonitorSmartphone from '@lucide/astro/icons/monitor-smartphone';
import Palette from '@lucide/astro/icons/palette';
import ScrollText from '@lucide/astro/icons/scroll-text';
import ShieldCheck from '@lucide/astro/icons/shield-check';
import UserRound from '@lucide/astro/icons/user-round';
import type { MessageKey } from '#content/keys.ts';

/** The settings pages, in the order of the side navigation. Source: specification §2 (/settings). */
export const settingsScreens = [
  { path: '/settings', name: 'settings.display', icon: Palette },
  { path: '/settings/language', name: 'settings.language', icon: Languages },
  { path: '/settings/profile', name: 'settings.profile', icon: IdCard, signed_in: true },
  { path: '/settings/account', name: 'settings.account', icon: UserRound, signed_in: true },
  { path: '/settings/notifications', name: 'settings.notifications', icon: Bell, signed_in: true },
  { path: '/settings/billing', name: 'settings.billing', icon: CreditCard, signed_in: true },
  { path: '/settings/sessions', name: 'settings.sessions', icon: MonitorSmartphone, signed_in: true },
  { path: '/settings/security-log', name: 'settings.security_log', icon: ScrollText, signed_in: true },
  { path: '/settings/pats', name: 'settings.pats', icon: KeyRound, signed_in: true },
  { path: '/settings/applications', name: 'settings.applications', icon: AppWindow, signed_in: true },
  { path: '/settings/authorizations', name: 'settings.authorizations', icon: ShieldCheck, signed_in: true },
] as const satisfies ReadonlyArray<{ path: string; name: MessageKey; icon: unknown; signed_in?: true }>;
