import { z } from 'zod';
import { createShape as collectionShape, limits } from '#db/catalogue/collections/shape.ts';
import { createCollection, editCollection } from '#db/catalogue/collections/write.ts';
import { slugFromName } from '#db/catalogue/projects/slug-from-name.ts';
import { storedFields } from '#db/catalogue/projects/stored-fields.ts';
import { createProject, validateNewProject } from '#db/catalogue/publishing/create-project.ts';
import { createShape } from '#db/catalogue/publishing/shape.ts';
import { projectTypes, v2ProjectType } from '#db/catalogue/tags/rules.ts';
import { rendererFor } from '#db/platform/text/rendered.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { collectionPath, projectPath } from '../../platform/paths/routes.ts';
import { parse } from '../../platform/route/endpoint.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

/** What a new project may become when it is approved, in the order of the page. Source: screens §A.1. */
export const visibilities = ['approved', 'unlisted', 'private'] as const;

/** Text of one line: browsers send what was pasted. */
const line = z.string().transform((text) => text.replace(/\s+/g, ' ').trim());

export const createProjectForm = defineForm({
  action: '/_internal/create/project',
  shape: z.object({
    type: z.enum(projectTypes),
    name: line.pipe(storedFields.title.input),
    slug: z.string().trim().max(64).default(''),
    summary: line.pipe(storedFields.description.input),
    visibility: z.enum(visibilities).default('approved'),
    organization_id: z.string().max(20).default(''),
  }),
  fields: ['type', 'name', 'slug', 'summary', 'visibility', 'organization_id'],
  invalid: { type: 'create.type_missing', name: 'create.name_invalid', summary: 'create.summary_invalid' },
  errors: {
    slug_invalid: 'slug',
    project_slug_taken: 'slug',
    organization_unknown: 'organization_id',
    not_a_member: 'organization_id',
    permission_missing: 'organization_id',
  },
});

/** The statuses that an owner gives a collection, in the order of the page. */
export const collectionStatuses = ['listed', 'unlisted', 'private'] as const;

export const collectionName = line.pipe(collectionShape.shape.name);
/** A description as a text area sends it: an empty one is none. */
export const collectionDescription = z
  .string()
  .transform((text) => text.replace(/\r\n?/g, '\n').trim() || null)
  .pipe(collectionShape.shape.description.unwrap().unwrap().nullable());

export const createCollectionForm = defineForm({
  action: '/_internal/create/collection',
  shape: z.object({
    name: collectionName,
    description: collectionDescription.default(null),
    status: z.enum(collectionStatuses).default('listed'),
  }),
  fields: ['name', 'description', 'status'],
  invalid: { name: 'create.collection_name_invalid', description: 'create.collection_description_invalid' },
  errors: {},
});
export const { name: max_name, description: max_description } = limits;

/** The forms of the pages that create projects and collections. */
export function createRoutes(api: Api, { sql, storage, renderer }: AppServices): void {
  formRoute(api, createProjectForm, {
    needs: ['PROJECT_CREATE'],
    page: '/dashboard/projects/new',
    async run({ c, actor, fields: { type, name, summary, visibility, organization_id, slug }, now }) {
      const data = parse(createShape, {
        title: name,
        slug: slug || slugFromName(name),
        description: summary,
        body: '',
        client_side: 'unknown',
        server_side: 'unknown',
        categories: [],
        license_id: 'LicenseRef-Unknown',
        is_draft: true,
        requested_status: visibility,
        initial_versions: [],
        organization_id: organization_id || null,
      })!;
      validateNewProject(actor, data);
      const body = await rendererFor(renderer, { account: actor.user_id, signal: c.req.raw.signal }).render(
        '',
      );
      const made = { data, type, body, versions: [], icon: null, gallery: [] };
      const id = await createProject(
        async (work) => (await sql.begin(work)) as never,
        storage,
        actor,
        made,
        now,
      );
      const project = {
        id,
        slug: data.slug.toLowerCase(),
        project_type: v2ProjectType([type]),
        project_types: [type],
        loaders: [],
      };
      return { to: `${projectPath(project)}/version/create` };
    },
  });

  formRoute(api, createCollectionForm, {
    needs: ['COLLECTION_CREATE'],
    page: '/dashboard/collections/new',
    async run({ actor, fields: { status, ...fields }, now }) {
      const id = await sql.begin(async (tx) => {
        const created = await createCollection(tx, actor, { ...fields, projects: [] }, now);
        if (status !== 'listed') await editCollection(tx, actor, created, { status }, now);
        return created;
      });
      return { to: collectionPath(id) };
    },
  });
}
