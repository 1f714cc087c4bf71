import { z } from 'zod';
import {
  addGalleryImage,
  editGalleryImage,
  orderGallery,
  removeGalleryImage,
} from '#db/catalogue/projects/gallery.ts';
import { limits } from '#db/catalogue/projects/limits.ts';
import { findProject } from '#db/catalogue/projects/read.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { idShape, linesText } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import { definePictureForm, galleryFormRoute } from '../../platform/route/picture-form.ts';
import type { Api } from '../../platform/route/types.ts';
import { readOrder } from '../../platform/ui/sort-order.ts';
import { galleryKey, pictureFile } from './gallery/picture-file.ts';
import { editableProject } from './project-edit.server.ts';

/** The name of an image in forms and addresses: the last part of its original's key. */
const picture = z.string().regex(/^[\w.]{1,80}$/);
const lines = (max: number) =>
  z
    .string()
    .default('')
    .pipe(linesText(0, max))
    .transform((text) => text || null);

export const galleryAddForm = definePictureForm('/_internal/gallery/add');

export const galleryOrderForm = defineForm({
  action: '/_internal/gallery/order',
  shape: z.object({ id: idShape, order: z.string().max(8192), move: z.string().max(128).optional() }),
  fields: ['order'],
  errors: {},
});

export const galleryCaptionForm = defineForm({
  action: '/_internal/gallery/caption',
  shape: z.object({
    id: idShape,
    picture,
    title: lines(limits.gallery_title_edit),
    description: lines(limits.gallery_description),
    alt: lines(limits.gallery_alt),
    featured: z.string().max(10).default(''),
  }),
  fields: ['title', 'description', 'alt', 'featured'],
  errors: {},
});

export const galleryRemoveForm = defineForm({
  action: '/_internal/gallery/remove',
  shape: z.object({ id: idShape, picture }),
  fields: [],
  errors: {},
});

/** The gallery's settings; a page of one image when `picture` names it. */
const pageOf = (id: unknown, name?: unknown): string => {
  if (!idShape.safeParse(id).success) return '/dashboard';
  const page = `/project/${id as string}/settings/gallery`;
  return picture.safeParse(name).success ? `${page}?picture=${name as string}` : page;
};

const captionOf = (project: Project | null, name: string): Record<string, string> => {
  const old = project?.gallery.find(({ raw_url }) => pictureFile(raw_url) === name);
  if (!old) throw new Refused('gallery_picture_unknown');
  const { title, description, alt, featured } = old;
  return {
    title: title ?? '',
    description: description ?? '',
    alt: alt ?? '',
    featured: featured ? 'on' : '',
  };
};

/** The forms of a project's gallery settings. Scripts add images by the public API, several at once. */
export function galleryFormRoutes(api: Api, services: AppServices): void {
  const { sql, storage } = services;
  const begin = async <T>(work: (tx: Db) => Promise<T>) => (await sql.begin(work)) as T;

  galleryFormRoute(api, galleryAddForm, {
    needs: ['PROJECT_WRITE'],
    page: pageOf,
    async set(actor, id, image) {
      const project_id = await editableProject(sql, id, actor);
      if (!image) return;
      const project = await findProject(services, project_id, actor);
      const last = project?.gallery.at(-1)?.ordering ?? -1;
      const featured = project?.gallery.length === 0;
      const caption = { featured, title: null, description: null, alt: null, ordering: last + 1 };
      await addGalleryImage(begin, storage, { actor, project_id, now: new Date() }, { image, ...caption });
    },
  });

  formRoute(api, galleryOrderForm, {
    needs: ['PROJECT_WRITE'],
    page: ({ id }) => pageOf(id),
    async run({ actor, fields: { id, order, move } }) {
      const project = await findProject(services, id, actor);
      const previous = project?.gallery.map(({ raw_url }) => pictureFile(raw_url)).join(' ') ?? '';
      const keys = readOrder(order, move).map((name) => galleryKey(id, name));
      await begin((tx) => orderGallery(tx, actor, id, keys));
      return { to: `${pageOf(id)}?saved=1`, previous: { id, order: previous } };
    },
  });

  formRoute(api, galleryCaptionForm, {
    needs: ['PROJECT_WRITE'],
    page: ({ id, picture }) => pageOf(id, picture),
    async run({ actor, fields: { id, picture, featured, ...texts } }) {
      const change = { ...texts, featured: featured !== '' };
      const project = await findProject(services, id, actor);
      await begin((tx) =>
        editGalleryImage(tx, actor, { project_id: id, key: galleryKey(id, picture) }, change),
      );
      return {
        to: `${pageOf(id, picture)}&saved=1`,
        previous: { id, picture, ...captionOf(project, picture) },
      };
    },
  });

  formRoute(api, galleryRemoveForm, {
    needs: ['PROJECT_WRITE'],
    page: ({ id, picture }) => pageOf(id, picture),
    async run({ actor, fields: { id, picture } }) {
      const key = galleryKey(id, picture);
      await removeGalleryImage(begin, storage, actor, { project_id: id, key });
      return { to: `${pageOf(id)}?removed=1` };
    },
  });
}
