import { z } from 'zod';
import { address, commaList, exactAddress } from './setting-shapes.ts';

/** The settings of sign-in by other services and of sessions, part of `settingsSchema`. Source: screens §A.5. */

const registered = z
  .string()
  .regex(/^[\x21-\x7e]{1,512}$/)
  .optional()
  .describe('1 to 512 letters, digits and signs without spaces');

const isHostName = (text: string): boolean => /^\.?[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(text);

export const providerSettings = {
  GITHUB_CLIENT_ID: registered,
  GITHUB_CLIENT_SECRET: registered,
  GITHUB_URL: address.optional(),
  DISCORD_CLIENT_ID: registered,
  DISCORD_CLIENT_SECRET: registered,
  DISCORD_URL: address.optional(),
  DISCORD_INVITE_URL: address.optional(),
  GOOGLE_CLIENT_ID: registered,
  GOOGLE_CLIENT_SECRET: registered,
  GOOGLE_URL: address.optional(),
  MICROSOFT_CLIENT_ID: registered,
  MICROSOFT_CLIENT_SECRET: registered,
  MICROSOFT_URL: address.optional(),
  GITLAB_CLIENT_ID: registered,
  GITLAB_CLIENT_SECRET: registered,
  GITLAB_URL: address.optional(),
  STEAM_SIGN_IN: z.enum(['on', 'off']).default('off').describe('one of on, off'),
  STEAM_URL: address.optional(),
  OIDC_CLIENT_ID: registered,
  OIDC_CLIENT_SECRET: registered,
  OIDC_ISSUER: exactAddress.optional(),
  OIDC_NAME: z
    .string()
    .regex(/^[^\p{Cc}]{1,40}$/u)
    .optional()
    .describe('a text of up to 40 characters on one line'),
  GEOIP_DATABASE: z
    .string()
    .regex(/^[^\0]+$/)
    .optional()
    .describe('the path of a file'),
  AUTH_RETURN_HOSTS: commaList
    .transform((hosts) => hosts.map((host) => host.toLowerCase()))
    .refine((hosts) => hosts.every(isHostName))
    .describe('host names with commas between; one that begins with a dot stands for all below it'),
};

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
