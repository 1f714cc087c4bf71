import { z } from 'zod';
import { limits } from '#db/catalogue/projects/limits.ts';
import { type BulkLinkColumn, bulkLinks, linkPlatform } from '#db/catalogue/projects/stored-fields.ts';
import { type BulkChange, editProjects } from '#db/catalogue/publishing/edit-projects.ts';
import { categories } from '#db/catalogue/tags/rules.ts';
import { httpsUrl, idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute, withQuery } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

/** Most projects that the dashboard edits at once: their ids have to fit into an address. */
export const max_together = limits.per_user;
/** The links that are edited together, by platform, in the order of the page. */
export const linkNames = bulkLinks.map(linkPlatform);
export type LinkName = ReturnType<typeof linkPlatform<BulkLinkColumn>>;

const known = new Set(categories.map(({ name }) => name));
const words = (text: string): string[] => [...new Set(text.split(/\s+/).filter(Boolean))];
const names = z
  .string()
  .max(8192)
  .default('')
  .transform((text) => words(text).filter((name) => known.has(name)));
const link = z
  .string()
  .default('')
  .transform((text) => text.trim() || undefined)
  .pipe(httpsUrl.optional());
const flag = z
  .string()
  .optional()
  .transform((text) => text === 'on');

export const bulkEditForm = defineForm({
  action: '/_internal/projects/edit-together',
  shape: z.object({
    ids: z.string().max(8192).transform(words).pipe(z.array(idShape).min(1).max(max_together)),
    ...(Object.fromEntries(linkNames.map((name) => [name, link])) as Record<LinkName, typeof link>),
    ...(Object.fromEntries(linkNames.map((name) => [`clear_${name}`, flag])) as Record<
      `clear_${LinkName}`,
      typeof flag
    >),
    add: names,
    remove: names,
  }),
  fields: [...linkNames, 'add', 'remove'],
  invalid: Object.fromEntries(linkNames.map((name) => [name, 'form.invalid_url' as const])),
  errors: {},
});
export type BulkFields = z.output<typeof bulkEditForm.shape>;

/** What the form asks for: tags are added beside the featured ones and removed from both; a link is set, removed or kept. */
export function bulkChangeOf(fields: BulkFields): BulkChange {
  const links: Record<string, string | null> = {};
  for (const name of linkNames) {
    if (fields[`clear_${name}`]) links[name] = null;
    else if (fields[name] !== undefined) links[name] = fields[name];
  }
  const { add, remove } = fields;
  return {
    categories: { set: null, remove: remove.length > 0 ? remove : null, add: null },
    additional_categories: {
      set: null,
      remove: remove.length > 0 ? remove : null,
      add: add.length > 0 ? add : null,
    },
    links,
  };
}

const page = '/dashboard/projects';

/** The form that edits several of one's projects, after their preview. */
export function bulkEditFormRoutes(api: Api, { sql }: AppServices): void {
  formRoute(api, bulkEditForm, {
    needs: ['PROJECT_WRITE'],
    page,
    async run({ actor, fields }) {
      await sql.begin(async (tx) => await editProjects(tx, actor, fields.ids, bulkChangeOf(fields)));
      return { to: withQuery(page, { edited: String(fields.ids.length) }) };
    },
  });
}
