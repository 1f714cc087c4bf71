import { z } from 'zod';

/** Settings of an installation that sells servers. */

interface RegionPing {
  region: string;
  address: string;
}

/** `region=address` with commas between; an address may contain `=`. */
const regionPingsOf = (text: string): RegionPing[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      return { region: part.slice(0, at), address: part.slice(at + 1) };
    });

/** Regions that are not sold are never asked for. */
const isRegionPing = ({ region, address }: RegionPing): boolean =>
  /^[a-z]+(-[a-z]+)*$/.test(region) && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

export const buyingSettings = {
  /** An address in each region that answers fast: browsers of buyers measure how long that takes. */
  REGION_PINGS: z
    .string()
    .default('')
    .transform(regionPingsOf)
    .refine((pings) => pings.length <= 10 && pings.every(isRegionPing))
    .describe('region=address with commas between, such as western-europe=https://ping.example.org/'),
  /** The header in which a proxy in front names the country of the visitor. */
  COUNTRY_HEADER: z
    .string()
    .toLowerCase()
    .regex(/^[a-z][a-z0-9-]{0,63}$/)
    .optional()
    .describe('the name of a header, such as CF-IPCountry'),
};
