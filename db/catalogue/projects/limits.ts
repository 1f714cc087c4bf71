import { perPerson } from './rules.ts';

/**
 * Limits of projects: characters of texts, items of lists, bytes of the icon, projects per user. Source: api-v2 §1.8,
 * §4.1, §4.2.
 */
export const limits = {
  title: 64,
  description: 255,
  description_edit: 256,
  body: 65_536,
  categories: 3,
  additional_categories: 256,
  initial_versions: 32,
  gallery_items: 64,
  gallery_title: 2048,
  gallery_description: 2048,
  /** Characters of the title of an image that is added or edited by itself. */
  gallery_title_edit: 255,
  /** Characters of what an image shows, for people who can't see it. */
  gallery_alt: 255,
  donation_urls: 64,
  moderation_message: 2000,
  icon_bytes: 262_144,
  per_user: perPerson,
  random: 100,
  /** Maximum projects edited at once. */
  bulk_edit: 1000,
  /** Maximum ids or slugs per request; launchers send 800. */
  ids: 3000,
} as const;
