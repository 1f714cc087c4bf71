import { assertAllowed, Refused } from '../../platform/errors.ts';
import { licenseIdOf, whyNotLicense } from '../tags/read.ts';
import { categories, donationPlatforms } from '../tags/rules.ts';
import { whyNotUseSlug } from './rules.ts';
import { linkColumns } from './stored-fields.ts';

/** Project fields that are validated against lists, in create and edit alike. */

const categoryNames = new Set(categories.map(({ name }) => name));

/** The category names without duplicates. Refuses `category_unknown`. Source: api-v2 §4.1. */
export function knownCategories(names: readonly string[]): string[] {
  const unknown = names.find((name) => !categoryNames.has(name));
  if (unknown !== undefined) throw new Refused('category_unknown', { category: unknown });
  return [...new Set(names)];
}

/** The existing category names without duplicates; PATCH ignores others. Source: api-v2 §4.2. */
export const existingCategories = (names: readonly string[]): string[] =>
  [...new Set(names)].filter((name) => categoryNames.has(name));

/** The licence to store (`arr` has a longer id). Refuses `license_unknown`. Source: api-v2 §4.1, §4.2. */
export function parseLicense(expression: string): string {
  assertAllowed(whyNotLicense(expression), { license: expression });
  return licenseIdOf(expression);
}

/** The slug to store. Refuses `slug_invalid`. Source: api-v2 §1.2. */
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
const isDonationPlatform = (id: string): boolean => platforms.includes(id);

/** The donation link as v2 shows it: `platform` is the key with an upper-case first letter. Source: api-v2 §2.1. */
export const parseDonation = (id: string, url: string): Donation => ({
  id,
  platform: id.charAt(0).toUpperCase() + id.slice(1),
  url,
});

/**
 * Donation links to store, one per platform, the last one wins. Create sends the key as `platform`, edit as `id`; both
 * accept both, `first` takes precedence. Refuses `donation_platform_unknown`.
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

/**
 * The columns that follow from links by platform: null removes one, platforms not named stay. Refuses
 * `link_platform_unknown`. Source: api-v3 §3.3.
 */
export function linkChanges(
  { donation_urls }: { donation_urls: readonly Donation[] },
  given: Readonly<Record<string, string | null>>,
): Record<string, unknown> & { donation_urls?: Donation[] } {
  const columns: ReturnType<typeof linkChanges> = {};
  const donating = new Map(donation_urls.map((one) => [one.id, one]));
  for (const [platform, url] of Object.entries(given)) {
    const column = linkColumns.get(platform);
    if (column) columns[column] = url;
    else if (!isDonationPlatform(platform)) throw new Refused('link_platform_unknown', { platform });
    else {
      if (url === null) donating.delete(platform);
      else donating.set(platform, parseDonation(platform, url));
      columns.donation_urls = [...donating.values()];
    }
  }
  return columns;
}
