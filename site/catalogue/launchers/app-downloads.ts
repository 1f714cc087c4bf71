import type { MessageKey } from '#content/messages.ts';
import type { TextSetting } from '../../platform/static-pages/tokens.ts';
import type { System } from './detect-system.ts';

interface AppDownload {
  setting: TextSetting;
  name: MessageKey;
  hint?: MessageKey;
  /** The system it is for; none for other ways to get the app. */
  system?: System;
}

/** Where the app may be downloaded, in display order; of one system the most general comes last. Source: specification §2. */
export const appDownloads: readonly AppDownload[] = [
  { setting: 'APP_WINDOWS_URL', name: 'app.windows', system: 'windows' },
  { setting: 'APP_MAC_URL', name: 'app.mac', system: 'mac' },
  { setting: 'APP_LINUX_DEB_URL', name: 'app.deb', hint: 'app.deb_text', system: 'linux' },
  { setting: 'APP_LINUX_RPM_URL', name: 'app.rpm', hint: 'app.rpm_text', system: 'linux' },
  { setting: 'APP_LINUX_APPIMAGE_URL', name: 'app.appimage', hint: 'app.appimage_text', system: 'linux' },
  { setting: 'APP_BETA_URL', name: 'app.beta', hint: 'app.beta_text' },
  { setting: 'APP_PACKAGES_URL', name: 'app.packages', hint: 'app.packages_text' },
];
