import { assertAllowed, Refused } from '../errors.ts';
import { licenseIdOf, whyNotLicense } from '../tags/read.ts';
import { categories, donationPlatforms } from '../tags/rules.ts';
import { whyNotUseSlug } from './rules.ts';

/** Fields of projects that are checked against lists, alike for create and edit. */

const categoryNames = new Set(categories.map(({ name }) => name));

/** The category names, each once. Refuses `category_unknown`. Source: api-v2 §4.1. */
export function knownCategories(names: readonly string[]): string[] {
  const unknown = names.find((name) => !categoryNames.has(name));
  if (unknown !== undefined) throw new Refused('category_unknown', { category: unknown });
  return [...new Set(names)];
}

/** The category names that exist, each once; PATCH ignores others. Source: api-v2 §4.2. */
export const existingCategories = (names: readonly string[]): string[] =>
  [...new Set(names)].filter((name) => categoryNames.has(name));

/** The licence as stored (`arr` has a longer id). Refuses `license_unknown`. Source: api-v2 §4.1, §4.2. */
export function parseLicense(expression: string): string {
  assertAllowed(whyNotLicense(expression), { license: expression });
  return licenseIdOf(expression);
}

/** The slug as stored. Refuses `slug_invalid`. Source: api-v2 §1.2. */
export function parseSlug(slug: string): string {
  assertAllowed(whyNotUseSlug(slug));
  return slug.toLowerCase();
}

export interface Donation {
  id: string;
  platform: string;
  url: string;
}

const platforms = donationPlatforms.map(({ short }) => short as string);
export const isDonationPlatform = (id: string): boolean => platforms.includes(id);

/** The address as v2 shows it: `platform` is the key with its first letter upper. Source: api-v2 §2.1. */
export const parseDonation = (id: string, url: string): Donation => ({
  id,
  platform: id.charAt(0).toUpperCase() + id.slice(1),
  url,
});

/**
 * Donation addresses as stored, one for each platform, the last one given counts. Create sends the key as `platform`,
 * edit as `id`; both are understood in both, `first` wins. Refuses `donation_platform_unknown`.
 * Source: api-behaviours §7.3, §17 (16).
 */
export function parseDonations(given: readonly Donation[], first: 'id' | 'platform'): Donation[] {
  const byKey = new Map<string, Donation>();
  for (const { id, platform, url } of given) {
    const slug = first === 'id' ? [id, platform] : [platform, id];
    const key = slug.map((text) => text.toLowerCase()).find(isDonationPlatform);
    if (!key)
      throw new Refused('donation_platform_unknown', { platform: slug[0], allowed: platforms.join(', ') });
    byKey.set(key, parseDonation(key, url));
  }
  return [...byKey.values()];
}
