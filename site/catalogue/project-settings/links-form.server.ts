import { z } from 'zod';
import type { OwnFields } from '#db/catalogue/projects/own-fields.ts';
import {
  type LinkColumn,
  linkPlatform,
  mapLinks,
  storedLinks,
} from '#db/catalogue/projects/stored-fields.ts';
import { donationPlatforms } from '#db/catalogue/tags/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import { optionalUrl } from '../../platform/forms/optional-url.ts';
import { defineProjectForm, type FieldValues } from '../../platform/forms/project-form.ts';
import { donationPlatformOf } from './donation-platform.ts';

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
  return { text: url, change: { links: { [linkPlatform(column)]: url === '' ? null : url } } };
};

/** The form of `/{type}/{id}/settings/links`. */
export const linksForm = defineProjectForm({
  screen: 'links',
  shape: {
    ...mapLinks(() => optionalUrl),
    ...Object.fromEntries(
      donationRows.flatMap(({ url, platform }) => [
        [url, optionalUrl],
        [platform, platformShape],
      ]),
    ),
  },
  parts: {
    ...mapLinks((column) => ({
      name: `project_settings.link_${linkPlatform(column)}` as const,
      fields: [column],
    })),
    donations: { name: 'project_settings.donations', fields: donationFields },
  },
  invalid: Object.fromEntries(
    [...storedLinks, ...donationRows.map(({ url }) => url)].map((name) => [
      name,
      'form.invalid_url' as const,
    ]),
  ),
  errors: {},
  fieldsOf: (own: OwnFields) => ({
    ...mapLinks((column) => own[column] ?? ''),
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
      ...mapLinks((column) => linkPart(column, fields)),
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
