import { z } from 'zod';

/** Settings of names of game servers below a domain of the operator. */

const hostName = /^(?=.{4,200}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/;
const lower = (text: string): string => text.trim().toLowerCase();

export const namesSettings = {
  SERVERS_DOMAIN: z
    .string()
    .transform(lower)
    .refine((text) => hostName.test(text))
    .optional()
    .describe('a domain such as servers.example.org'),
  SERVERS_ZONE_FILE: z
    .string()
    .regex(/^[^\0]{1,1000}$/)
    .optional()
    .describe('the path of a file'),
  SERVERS_NAME_SERVERS: z
    .string()
    .default('')
    .transform((text) =>
      lower(text)
        .split(',')
        .map((part) => part.trim().replace(/\.$/, ''))
        .filter(Boolean),
    )
    .refine((hosts) => hosts.length <= 8 && hosts.every((host) => hostName.test(host)))
    .describe('up to 8 names of name servers with commas between'),
};

/** Why not these settings, or null: a zone is that of a domain. */
export const whyNotNames = (given: {
  SERVERS_DOMAIN?: string | undefined;
  SERVERS_ZONE_FILE?: string | undefined;
}): string | null =>
  given.SERVERS_ZONE_FILE && !given.SERVERS_DOMAIN
    ? 'SERVERS_ZONE_FILE needs SERVERS_DOMAIN: a domain such as servers.example.org.'
    : null;
