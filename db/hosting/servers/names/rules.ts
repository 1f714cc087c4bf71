import type { RefusalCode } from '../../../platform/errors.ts';
import { reservedNames } from './data/reserved.ts';

/** Rules for the name of a server below SERVERS_DOMAIN. RFC 1035 §2.3.1 and RFC 5891 §4.2.3.1 say what is a label. */

export const subdomainLengths = { least: 5, most: 32 } as const;

/** A name as it is stored: names of hosts know no case. */
export const normalSubdomain = (text: string): string => text.trim().toLowerCase();

/**
 * Why no server can have this name, or null: 5 to 32 letters, digits and dashes, no dash at an end, and no two as third and
 * fourth, which stand for another alphabet.
 */
export function whyNotSubdomain(text: string): RefusalCode | null {
  const name = normalSubdomain(text);
  const { least, most } = subdomainLengths;
  if (name.length < least || name.length > most) return 'subdomain_length';
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(name) || name.slice(2, 4) === '--')
    return 'subdomain_letters';
  return reservedNames.has(name) ? 'subdomain_reserved' : null;
}
