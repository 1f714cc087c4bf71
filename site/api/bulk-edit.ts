import { z } from 'zod';
import { parseDonations } from '#db/catalogue/projects/fields.ts';
import { limits } from '#db/catalogue/projects/limits.ts';
import { categoryNames, donationUrls } from '#db/catalogue/projects/shape.ts';
import {
  linkPlatform,
  optionalInputs,
  type V2OnlyColumn,
  v2OnlyColumns,
} from '#db/catalogue/projects/stored-fields.ts';
import { type BulkChange, editProjects } from '#db/catalogue/publishing/edit-projects.ts';
import { donationPlatforms } from '#db/catalogue/tags/rules.ts';
import { httpsUrl, idShape } from '#db/platform/shape.ts';
import { authenticatedRoute, jsonText } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';

const lists = {
  categories: categoryNames(limits.categories).nullish(),
  add_categories: categoryNames(limits.categories).nullish(),
  remove_categories: categoryNames(limits.additional_categories).nullish(),
  additional_categories: categoryNames(limits.additional_categories).nullish(),
  add_additional_categories: categoryNames(limits.categories).nullish(),
  remove_additional_categories: categoryNames(limits.additional_categories).nullish(),
};
const linkInputs = Object.fromEntries(
  v2OnlyColumns.map((column) => [column, optionalInputs[column]]),
) as Pick<typeof optionalInputs, V2OnlyColumn>;
const listShape = z.object(lists);

/** The body of PATCH /v2/projects. Source: api-v2 §4.3. */
const bulkShape = z
  .object({
    ...lists,
    donation_urls: donationUrls.nullish(),
    add_donation_urls: donationUrls.nullish(),
    remove_donation_urls: z
      .array(donationUrls.element.extend({ url: z.string().max(2048).nullish() }))
      .max(limits.donation_urls)
      .nullish(),
    ...linkInputs,
  })
  .meta({ id: 'ProjectBulkEdit' })
  .transform((body): BulkChange => ({ ...listsOf(body), links: linksOfV2(body) }));

/** The body of PATCH /v3/projects. Source: api-v3 §3.1. */
const bulkV3Shape = z
  .object({ ...lists, link_urls: z.record(z.string().max(64), httpsUrl.nullable()).nullish() })
  .meta({ id: 'ProjectBulkEditV3' })
  .transform((body): BulkChange => ({ ...listsOf(body), links: body.link_urls ?? {} }));

const listsOf = (body: z.output<typeof listShape>): Omit<BulkChange, 'links'> => ({
  categories: { set: body.categories, remove: body.remove_categories, add: body.add_categories },
  additional_categories: {
    set: body.additional_categories,
    remove: body.remove_additional_categories,
    add: body.add_additional_categories,
  },
});

interface LinksV2 extends Partial<Record<V2OnlyColumn, string | null | undefined>> {
  donation_urls?: z.output<typeof donationUrls> | null | undefined;
  add_donation_urls?: z.output<typeof donationUrls> | null | undefined;
  remove_donation_urls?: Array<{ id: string; platform: string }> | null | undefined;
}

/** The links by platform; a set of donation links first removes all of them. Source: api-v2 §4.3. */
function linksOfV2(body: LinksV2): Record<string, string | null> {
  const { donation_urls: set, remove_donation_urls: remove, add_donation_urls: add } = body;
  const links: Record<string, string | null> = {};
  for (const column of v2OnlyColumns) {
    const url = body[column];
    if (url !== undefined) links[linkPlatform(column)] = url;
  }
  if (set) for (const { short } of donationPlatforms) links[short] = null;
  for (const { id, url } of parseDonations(set ?? [], 'id')) links[id] = url;
  const gone = (remove ?? []).map((one) => ({ ...one, url: '' }));
  for (const { id } of parseDonations(gone, 'id')) links[id] = null;
  for (const { id, url } of parseDonations(add ?? [], 'id')) links[id] = url;
  return links;
}

/** PATCH of several projects at once. Source: api-v2 §4.3; api-v3 §3.1. */
export function bulkEditRoutes(api: Api, version: 2 | 3): void {
  authenticatedRoute(api, {
    method: 'patch',
    path: '/projects',
    summary: 'Edit categories and links of several projects; all are changed or none',
    tag: 'projects',
    needs: ['PROJECT_WRITE'],
    query: z.object({ ids: jsonText(z.array(idShape).max(limits.bulk_edit)) }),
    body: version === 2 ? bulkShape : bulkV3Shape,
    handle: async ({ query, body, actor, begin }) => {
      await begin(async (tx) => await editProjects(tx, actor, query.ids, body));
      return undefined;
    },
  });
}
