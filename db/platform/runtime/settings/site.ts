import { z } from 'zod';
import { address, exactAddress, line, onOff, type Setting } from './shapes.ts';

/** An email address, or an address that begins with https://, with its scheme. */
const contact = z
  .string()
  .regex(/^(mailto:[^\s@]+@[^\s@]+|[^\s@:/]+@[^\s@:/]+|https:\/\/\S+)$/)
  .transform((text) => (/^(mailto|https):/.test(text) ? text : `mailto:${text}`))
  .describe('an email address, or an address that begins with https://');

/** What the site says about itself and who runs it. */
export const siteSettings = {
  STATUS_URL: { shape: address },
  CHAT_URL: { shape: address },
  DISCORD_INVITE_URL: { shape: address },
  SOURCE_URL: { shape: address },
  SUPPORT_CONTACT: { shape: contact },
  SECURITY_CONTACT: {
    shape: z
      .string()
      .regex(/^(mailto:[^\s@]+@[^\s@]+|[^\s@:/]+@[^\s@:/]+|https:\/\/\S+|tel:\+[\d-]+)$/)
      .transform((text) => (/^(mailto|https|tel):/.test(text) ? text : `mailto:${text}`))
      .describe('an email address, or an address that begins with https://, mailto: or tel:+'),
  },
  GAME_NAME: {
    shape: line.max(40).describe('a text of up to 40 characters on one line'),
    default: 'Minecraft',
  },
  OPERATOR_NAME: { shape: line },
  OPERATOR_ADDRESS: { shape: line },
  OPERATOR_CONTACT: { shape: contact },
  OPERATOR_COUNTRY: { shape: line },
  LEGAL_DATE: { shape: z.iso.date().describe('a date such as 2026-10-01') },
  STAGING: { shape: onOff, default: 'off' },
} satisfies Record<string, Setting>;

/** A launcher that the home page names. */
export interface Launcher {
  name: string;
  url: string;
}

/** The launchers of a list such as `Name=https://example.org, Other=https://example.com`. */
const launchersOf = (text: string): Launcher[] =>
  text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [name = '', ...rest] = part.split('=');
      return { name: name.trim(), url: rest.join('=').trim() };
    });
const isLauncher = ({ name, url }: Launcher): boolean =>
  /^.{1,40}$/.test(name) && /^https?:$/.test(URL.parse(url)?.protocol ?? '');

/** Where the app is downloaded, for each system. */
const systems = {
  APP_WINDOWS_URL: { shape: exactAddress },
  APP_MAC_URL: { shape: exactAddress },
  APP_LINUX_DEB_URL: { shape: exactAddress },
  APP_LINUX_RPM_URL: { shape: exactAddress },
  APP_LINUX_APPIMAGE_URL: { shape: exactAddress },
} satisfies Record<string, Setting>;

/** An app of this installation, and launchers of others. */
export const appSettings = {
  ...systems,
  APP_BETA_URL: { shape: exactAddress },
  APP_PACKAGES_URL: { shape: exactAddress },
  APP_MEMORY_MB: {
    shape: z
      .string()
      .regex(/^[1-9]\d{0,5}$/)
      .describe('a whole number from 1 to 999999'),
  },
  LAUNCHERS: {
    shape: z
      .string()
      .transform(launchersOf)
      .refine((launchers) => launchers.length <= 12 && launchers.every(isLauncher))
      .describe('up to 12 of name=address with commas between, such as Name=https://example.org'),
    default: '',
  },
} satisfies Record<string, Setting>;

/** Whether the app can be downloaded for at least one system. */
export const isAppOffered = (given: { [Name in keyof typeof systems]?: string | undefined }): boolean =>
  (Object.keys(systems) as Array<keyof typeof systems>).some((name) => given[name]);
