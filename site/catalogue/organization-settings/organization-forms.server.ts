import { z } from 'zod';
import { setOrganizationIcon } from '#db/catalogue/organizations/icon.ts';
import { findOrganization } from '#db/catalogue/organizations/read.ts';
import { createShape } from '#db/catalogue/organizations/shape.ts';
import {
  createOrganization,
  editOrganization,
  removeOrganization,
} from '#db/catalogue/organizations/write.ts';
import { slugFromName } from '#db/catalogue/projects/slug-from-name.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import { definePictureForm, pictureFormRoute } from '../../platform/route/picture-form.ts';
import type { Api } from '../../platform/route/types.ts';

const { name, slug, description } = createShape.shape;
const trimmed = z.string().trim();
const details = {
  name,
  slug: trimmed.pipe(slug),
  description,
};
const common = {
  fields: ['name', 'slug', 'description'],
  invalid: {
    name: 'organization_settings.name_invalid',
    description: 'organization_settings.description_invalid',
  },
  errors: { slug_invalid: 'slug', organization_slug_taken: 'slug' },
} as const;

export const createOrganizationForm = defineForm({
  ...common,
  action: '/_internal/organizations/create',
  shape: z.object(details),
});

export const editOrganizationForm = defineForm({
  ...common,
  action: '/_internal/organizations/edit',
  shape: z.object({ id: idShape, ...details }),
});

export const deleteOrganizationForm = defineForm({
  action: '/_internal/organizations/delete',
  shape: z.object({ id: idShape, confirm_name: trimmed }),
  fields: ['confirm_name'],
  errors: { organization_name_mismatch: 'confirm_name' },
});

export const organizationIconForm = definePictureForm('/_internal/organizations/icon');

const create_page = '/organization/new';
/** The settings by id, which lead on to the current address; a broken id has none. */
const settingsPage = ({ id }: Record<string, unknown>): string =>
  idShape.safeParse(id).success ? `/organization/${id as string}/settings` : '/dashboard';

/** The forms of the settings of an organization, and the one that makes it. Source: specification §2; screens §A.6. */
export function organizationForms(api: Api, services: AppServices): void {
  const { sql, storage } = services;
  const begin = async <T>(work: (tx: Db) => Promise<T>) => (await sql.begin(work)) as T;

  formRoute(api, createOrganizationForm, {
    needs: ['ORGANIZATION_CREATE'],
    page: create_page,
    async run({ actor, fields }) {
      const slug = fields.slug || slugFromName(fields.name);
      const id = await begin((tx) => createOrganization(tx, actor, { ...fields, slug }));
      return { to: settingsPage({ id }) };
    },
  });

  formRoute(api, editOrganizationForm, {
    needs: ['ORGANIZATION_WRITE'],
    page: settingsPage,
    async run({ actor, fields: { id, ...edit } }) {
      const before = await findOrganization(services, id, actor);
      await begin((tx) => editOrganization(tx, actor, id, edit));
      const to = `${settingsPage({ id })}?saved=1`;
      if (!before) return { to };
      return { to, previous: { id, name: before.name, slug: before.slug, description: before.description } };
    },
  });

  formRoute(api, deleteOrganizationForm, {
    needs: ['ORGANIZATION_DELETE'],
    page: settingsPage,
    async run({ actor, fields: { id, confirm_name } }) {
      const organization = await findOrganization(services, id, actor);
      if (organization && organization.name.trim() !== confirm_name)
        throw new Refused('organization_name_mismatch');
      const prefix = await begin((tx) => removeOrganization(tx, actor, id));
      // a later garbage collection removes what stays
      await storage.removeAll(prefix).catch((err: unknown) => {
        services.log.warn(
          { err, organization_id: id },
          'The icon of a deleted organization could not be removed',
        );
      });
      return { to: '/dashboard?done=organization_deleted' };
    },
  });

  pictureFormRoute(api, organizationIconForm, {
    needs: ['ORGANIZATION_WRITE'],
    page: (id) => settingsPage({ id }),
    set: (actor, id, icon) => setOrganizationIcon(begin, storage, { actor, id, now: services.now() }, icon),
  });
}
