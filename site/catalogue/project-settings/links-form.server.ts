import { z } from 'zod';
import type { OwnFields } from '#db/catalogue/projects/own-fields.ts';
import { donationPlatforms } from '#db/catalogue/tags/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import { optionalUrl } from '../../platform/forms/optional-url.ts';
import { defineProjectForm, type FieldValues } from '../../platform/forms/project-form.ts';
import { donationPlatformOf } from './donation-platform.ts';

/** Each link of a project: its column, its platform in v3. */
const linkParts = {
  issues_url: 'issues',
  source_url: 'source',
  wiki_url: 'wiki',
  discord_url: 'discord',
  site_url: 'site',
  store_url: 'store',
} as const;
type LinkColumn = keyof typeof linkParts;
export const linkFields = Object.keys(linkParts) as LinkColumn[];

/** A row for each platform: a project has one donation link of each. */
export const donationRows = donationPlatforms.map((_, index) => ({
  url: `donation_${index + 1}`,
  platform: `donation_platform_${index + 1}`,
}));
const donationFields = donationRows.flatMap(({ url, platform }) => [url, platform]);
const platforms = donationPlatforms.map(({ short }) => short as string);
const platformShape = z.enum(['', ...platforms]).optional();

const donationsOf = (fields: FieldValues) =>
  donationRows.flatMap(({ url, platform }) => {
    const address = fields[url] ?? '';
    return address === ''
      ? []
      : [{ field: url, id: fields[platform] || donationPlatformOf(address), url: address }];
  });

const linkPart = (column: LinkColumn, fields: FieldValues) => {
  const url = fields[column] ?? '';
  return { text: url, change: { links: { [linkParts[column]]: url === '' ? null : url } } };
};

/** The form of `/{type}/{id}/settings/links`. */
export const linksForm = defineProjectForm({
  screen: 'links',
  shape: {
    ...(Object.fromEntries(linkFields.map((column) => [column, optionalUrl])) as Record<
      LinkColumn,
      typeof optionalUrl
    >),
    ...Object.fromEntries(
      donationRows.flatMap(({ url, platform }) => [
        [url, optionalUrl],
        [platform, platformShape],
      ]),
    ),
  },
  parts: {
    issues_url: { name: 'project_settings.link_issues', fields: ['issues_url'] },
    source_url: { name: 'project_settings.link_source', fields: ['source_url'] },
    wiki_url: { name: 'project_settings.link_wiki', fields: ['wiki_url'] },
    discord_url: { name: 'project_settings.link_chat', fields: ['discord_url'] },
    site_url: { name: 'project_settings.link_site', fields: ['site_url'] },
    store_url: { name: 'project_settings.link_store', fields: ['store_url'] },
    donations: { name: 'project_settings.donations', fields: donationFields },
  },
  invalid: Object.fromEntries(
    [...linkFields, ...donationRows.map(({ url }) => url)].map((name) => [name, 'form.invalid_url' as const]),
  ),
  errors: {},
  fieldsOf: (own: OwnFields) => ({
    ...Object.fromEntries(linkFields.map((column) => [column, own[column] ?? ''])),
    ...Object.fromEntries(
      own.donation_urls.slice(0, donationRows.length).flatMap(({ id, url }, index) => [
        [donationRows[index]!.url, url],
        [donationRows[index]!.platform, id],
      ]),
    ),
  }),
  partsOf(fields) {
    const donations = donationsOf(fields);
    return {
      ...(Object.fromEntries(linkFields.map((column) => [column, linkPart(column, fields)])) as Record<
        LinkColumn,
        ReturnType<typeof linkPart>
      >),
      donations: {
        text: donations.map(({ id, url }) => `${id}: ${url}`).join('\n'),
        change: { donation_urls: donations.map(({ id, url }) => ({ id, platform: '', url })) },
      },
    };
  },
  check(fields) {
    const donations = donationsOf(fields);
    const twice = donations.find(({ id }, index) => donations.findIndex((one) => one.id === id) < index);
    if (twice) throw new Refused('donation_platform_twice', { field: twice.field });
  },
});
