import { token } from '../../platform/static-pages/tokens.ts';

const site = token('SITE_URL');

/** The base URLs of the API, as tools take them. */
export const apiAddresses = { v2: `${site}/v2`, v3: `${site}/v3` } as const;

/** What must be changed in an open program, so that it uses this site. */
interface LauncherSetup {
  /** Its id in the payload of `/app`. */
  id: 'prism' | 'modrinth-app' | 'mrpack-install';
  name: string;
  /** The file of its source with the addresses; null when it takes them as an option. */
  file: string | null;
  /** The lines of the file as they must be, or the command. */
  setting: string;
}

/**
 * Open programs whose addresses can be changed. The first two have them fixed when they are built. Source: clients §1,
 * §2, §9.
 */
export const launchers: readonly LauncherSetup[] = [
  {
    id: 'prism',
    name: 'Prism Launcher',
    file: 'buildconfig/BuildConfig.h',
    setting: `QString MODRINTH_PROD_URL = "${apiAddresses.v2}";`,
  },
  {
    id: 'modrinth-app',
    name: 'Modrinth App',
    file: 'packages/app-lib/.env',
    setting: [
      `MODRINTH_API_BASE_URL=${site}/`,
      `MODRINTH_API_URL=${apiAddresses.v2}/`,
      `MODRINTH_API_URL_V3=${apiAddresses.v3}/`,
    ].join('\n'),
  },
  {
    id: 'mrpack-install',
    name: 'mrpack-install',
    file: null,
    setting: `mrpack-install MODPACK --host ${token('SITE_HOST')}`,
  },
];
