import { z } from 'zod';
import { address, commaList, exactAddress, line, onOff, path, type Setting } from './shapes.ts';

const registered = z
  .string()
  .regex(/^[\x21-\x7e]{1,512}$/)
  .describe('1 to 512 letters, digits and signs without spaces');

const isHostName = (text: string): boolean => /^\.?[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(text);

/** Sign-in by other services. Source: screens §A.5. */
export const providerSettings = {
  GITHUB_CLIENT_ID: { shape: registered },
  GITHUB_CLIENT_SECRET: { shape: registered, secret: true },
  GITHUB_URL: { shape: address },
  DISCORD_CLIENT_ID: { shape: registered },
  DISCORD_CLIENT_SECRET: { shape: registered, secret: true },
  DISCORD_URL: { shape: address },
  GOOGLE_CLIENT_ID: { shape: registered },
  GOOGLE_CLIENT_SECRET: { shape: registered, secret: true },
  GOOGLE_URL: { shape: address },
  MICROSOFT_CLIENT_ID: { shape: registered },
  MICROSOFT_CLIENT_SECRET: { shape: registered, secret: true },
  MICROSOFT_URL: { shape: address },
  GITLAB_CLIENT_ID: { shape: registered },
  GITLAB_CLIENT_SECRET: { shape: registered, secret: true },
  GITLAB_URL: { shape: address },
  STEAM_SIGN_IN: { shape: onOff, default: 'off' },
  STEAM_URL: { shape: address },
  OIDC_ISSUER: { shape: exactAddress },
  OIDC_CLIENT_ID: { shape: registered },
  OIDC_CLIENT_SECRET: { shape: registered, secret: true },
  OIDC_NAME: {
    shape: z
      .string()
      .regex(/^[^\p{Cc}]{1,40}$/u)
      .describe('a text of up to 40 characters on one line'),
  },
  AUTH_RETURN_HOSTS: {
    shape: commaList
      .transform((hosts) => hosts.map((host) => host.toLowerCase()))
      .refine((hosts) => hosts.every(isHostName))
      .describe('host names with commas between; one that begins with a dot stands for all below it'),
    default: '',
  },
} satisfies Record<string, Setting>;

/** The captcha of sign-in and sign-up, and where a sign-in came from. */
export const accountSettings = {
  CAPTCHA_URL: { shape: address },
  CAPTCHA_SECRET: { shape: line, secret: true },
  CAPTCHA_SITE_KEY: { shape: line },
  CAPTCHA_SCRIPT: { shape: address },
  GEOIP_DATABASE: { shape: path.describe('the path of a file') },
} satisfies Record<string, Setting>;

/** The settings that a provider is configured by; each of them needs the other. */
const pairs = ['GITHUB', 'DISCORD', 'GOOGLE', 'MICROSOFT', 'GITLAB', 'OIDC'] as const;

type Given = { [Name in keyof typeof providerSettings]?: unknown };

/** What is missing for a provider that is configured in part, written for the operator; null when nothing is. */
export function whyNotProviders(given: Given): string | null {
  for (const name of pairs) {
    const [id, secret] = [given[`${name}_CLIENT_ID`], given[`${name}_CLIENT_SECRET`]];
    if ((id === undefined) !== (secret === undefined))
      return `${name}_CLIENT_ID and ${name}_CLIENT_SECRET need each other: set both or none.`;
  }
  if ((given.OIDC_ISSUER === undefined) !== (given.OIDC_CLIENT_ID === undefined))
    return 'OIDC_ISSUER and OIDC_CLIENT_ID need each other: set both or none.';
  return null;
}
