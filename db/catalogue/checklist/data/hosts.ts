/** Hosts that the checklist knows. A host stands for itself and its subdomains. */

/** Shorteners conceal where a link leads. */
export const shortenerHosts = ['bit.ly', 'adf.ly', 'tinyurl.com', 'short.io', 'is.gd'] as const;

/** Where projects have their chat. */
export const chatHosts = ['discord.gg', 'discord.com', 'dsc.gg'] as const;

/** Where source code is usually kept. */
export const sourceHosts = [
  'github.com',
  'gitlab.com',
  'codeberg.org',
  'bitbucket.org',
  'git.sr.ht',
] as const;

/** Where problems are usually reported. */
export const issueHosts = [
  'github.com',
  'gitlab.com',
  'codeberg.org',
  'bitbucket.org',
  'docs.google.com',
] as const;

/** Social networks and games: no license text is published there. */
export const noLicenseHosts = [
  ...['youtube.com', 'youtu.be', 'discord.gg', 'discord.com', 'twitter.com', 'x.com', 'facebook.com'],
  ...[
    'instagram.com',
    'tiktok.com',
    'twitch.tv',
    'reddit.com',
    't.me',
    'snapchat.com',
    'bilibili.com',
    'vk.com',
  ],
  ...['steamcommunity.com', 'roblox.com', 'minecraft.net', 'patreon.com', 'ko-fi.com'],
] as const;

/** Whether an address is at one of the hosts; false for what is no address. */
export function isHostOf(url: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}
