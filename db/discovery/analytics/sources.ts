import { createIsbotFromList, isbot, list } from 'isbot';

/** Programs that load files for people: launchers, installers and the libraries they are made with. */
const tools = [
  ...['PrismLauncher/9.1', 'ATLauncher/3.4.37 (Java 17)', 'MultiMC/5.0', 'GDLauncher Carbon/2', 'HMCL/3.5'],
  ...[
    'packwiz/0.1',
    'ferium/4.1',
    'unsup/1.1',
    'aria2/1.36',
    'curl/8.5.0',
    'Wget/1.21',
    'Java/17.0.1',
    'undici',
    'node',
  ],
  ...[
    'Java-http-client/17',
    'okhttp/4.9',
    'Go-http-client/2.0',
    'python-requests/2.31',
    'axios/1.6',
    'Cairn-Agent/1',
  ],
  ...['Gradle/8.5 (Linux;6.1;amd64) (Vendor;17.0.9;17.0.9+9)', 'Apache-Maven/3.9.6 (Java 17.0.9; Linux 6.1)'],
  // clients name their author and project, as the API asks them to
  ...['launcher/1.0 (someone@example.com)', 'installer (+https://example.com/installer)', 'reqwest/0.12'],
];
const crawlers = list.filter((pattern) => !tools.some((agent) => new RegExp(pattern, 'i').test(agent)));

/** Whether a user agent is no person in a browser: crawlers, scripts, browsers without a screen. Views of these do not count. */
export const isBot = (agent: string | undefined): boolean => !agent || isbot(agent);

/** Whether a user agent loads files for nobody: crawlers. Launchers and scripts load them for people. */
export const isCrawler: (agent: string | undefined) => boolean = createIsbotFromList(crawlers);

/** Build tools, which load files by the Maven repository; launchers and installers by the product that they name first. */
const programs: Array<[RegExp, string]> = [
  [/^(gradle|apache-maven)\//i, 'maven'],
  [/^prismlauncher\b/i, 'prism'],
  [/^polymc\b/i, 'polymc'],
  [/^multimc\b/i, 'multimc'],
  [/^atlauncher\b/i, 'atlauncher'],
  [/^gdlauncher\b/i, 'gdlauncher'],
  [/^hmcl\b/i, 'hmcl'],
  [/\bpackwiz\b/i, 'packwiz'],
  [/\bferium\b/i, 'ferium'],
  [/\bmrpack-install\b/i, 'mrpack-install'],
  [/\bmc-image-helper\b/i, 'mc-image-helper'],
];

/** What a download's request says about where it comes from. */
interface Request {
  agent: string | undefined;
  /** Origin or page whose link was followed. */
  referrer: string | undefined;
}

/** The host of a referrer without its port; empty if there is none. */
export const domainOf = (referrer: string | undefined): string =>
  referrer && URL.canParse(referrer) ? new URL(referrer).hostname.slice(0, 253) : '';

/**
 * Through what a file was downloaded: `website`, `app` and `hosting` of this platform, `maven` by a build tool, a launcher by
 * name, or `other`. `own` is the host of the site.
 */
export function sourceOfDownload({ agent = '', referrer }: Request, own: string): string {
  if (/^cairn-agent\//i.test(agent)) return 'hosting';
  if (/\btheseus\b|^cairn-app\//i.test(agent)) return 'app';
  for (const [pattern, name] of programs) if (pattern.test(agent)) return name;
  if (agent.startsWith('Mozilla/') && domainOf(referrer) === own) return 'website';
  return 'other';
}

/** The token of an `Authorization` header as a download has it; nothing when it cannot be one. */
export const sentToken = (header: string | undefined): { token?: string } => {
  const token = header?.replace(/^Bearer /i, '') ?? '';
  return /^mr[apo]_[\w.-]{1,250}$/.test(token) ? { token } : {};
};
