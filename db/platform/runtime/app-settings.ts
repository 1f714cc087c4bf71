import { z } from 'zod';

/** The settings about an app of this installation and about launchers, part of `settingsSchema`. */

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

/** An address that is shown as it was given, with its trailing slash. */
const download = z
  .url({ protocol: /^https?$/ })
  .optional()
  .describe('an address that begins with http:// or https://');

/** Where the app is downloaded, for each system. */
const systems = {
  APP_WINDOWS_URL: download,
  APP_MAC_URL: download,
  APP_LINUX_DEB_URL: download,
  APP_LINUX_RPM_URL: download,
  APP_LINUX_APPIMAGE_URL: download,
};

export const appSettings = {
  ...systems,
  APP_BETA_URL: download,
  APP_PACKAGES_URL: download,
  APP_MEMORY_MB: z
    .string()
    .regex(/^[1-9]\d{0,5}$/)
    .optional()
    .describe('a whole number from 1 to 999999'),
  LAUNCHERS: z
    .string()
    .default('')
    .transform(launchersOf)
    .refine((launchers) => launchers.length <= 12 && launchers.every(isLauncher))
    .describe('up to 12 of name=address with commas between, such as Name=https://example.org'),
};

/** Whether the app can be downloaded for at least one system. */
export const isAppOffered = (given: { [Name in keyof typeof systems]?: string | undefined }): boolean =>
  (Object.keys(systems) as Array<keyof typeof systems>).some((name) => given[name]);
