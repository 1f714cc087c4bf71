import { z } from 'zod';
import {
  addGalleryImage,
  type Caption,
  editGalleryImage,
  removeGalleryImage,
} from '#db/catalogue/projects/gallery.ts';
import { limits } from '#db/catalogue/projects/limits.ts';
import { processGallery } from '#db/platform/files/image.ts';
import { imageBytes } from '#db/platform/files/rules.ts';
import { linesText, oneLineText } from '#db/platform/shape.ts';
import { mediaKeyOrNull } from '#db/platform/storage/url.ts';
import { editableProject, projectParams } from '../catalogue/project-settings/project-edit.server.ts';
import { authenticatedRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';
import { receiveImage } from '../platform/upload/upload.ts';

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const ordering = z
  .string()
  .regex(/^-?\d{1,10}$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.int().min(-2147483648).max(2147483647));
const title = oneLineText(1, limits.gallery_title_edit);
const description = linesText(1, limits.gallery_description);
const alt = oneLineText(1, limits.gallery_alt);
/** An edit clears a text by sending an empty one. */
const cleared = (text: z.ZodType<string>) => z.union([z.literal('').transform(() => null), text]).optional();

type TitleField = { title: 'title' | 'name' };
const queries = ({ title: field }: TitleField) => ({
  add: z.object({
    ext: z.string().optional(),
    featured: flag,
    [field]: title.optional(),
    description: description.optional(),
    alt: alt.optional(),
    ordering: ordering.optional(),
  }),
  edit: z.object({
    url: z.string(),
    featured: flag.optional(),
    [field]: cleared(title),
    description: cleared(description),
    alt: cleared(alt),
    ordering: ordering.optional(),
  }),
});

/** The fields that the query names, with the title under its stored name. */
function captionOf(query: Record<string, unknown>, { title: field }: TitleField): Partial<Caption> {
  const { featured, description: text, alt: shown, ordering: place } = query;
  const caption = { featured, title: query[field], description: text, alt: shown, ordering: place };
  return Object.fromEntries(
    Object.entries(caption).filter(([, value]) => value !== undefined),
  ) as Partial<Caption>;
}

/** Gallery images of a project, the same in both versions but for the name of the title. Source: api-v2 §4; api-v3 §3.1. */
export function galleryRoutes(api: Api, version: 2 | 3): void {
  const field: TitleField = { title: version === 2 ? 'title' : 'name' };
  const query = queries(field);
  const one = {
    path: '/project/{id}/gallery',
    tag: 'projects',
    needs: ['PROJECT_WRITE'] as const,
    params: projectParams,
  };

  authenticatedRoute(api, {
    ...one,
    method: 'post',
    summary: 'Add an image of at most 5 MiB to the gallery',
    query: query.add,
    raw: ['image/png', 'image/jpeg', 'image/bmp', 'image/gif', 'image/webp'],
    handle: async ({ sql, services, params, query: given, request, actor, begin, now }) => {
      const project_id = await editableProject(sql, params.id, actor);
      const bytes = await receiveImage(request, services, imageBytes.gallery, given.ext as string);
      const image = await processGallery(bytes, given.ext as string);
      const caption = {
        featured: false,
        title: null,
        description: null,
        alt: null,
        ordering: 0,
        ...captionOf(given, field),
      };
      await addGalleryImage(begin, services.storage, { actor, project_id, now }, { image, ...caption });
      return undefined;
    },
  });

  authenticatedRoute(api, {
    ...one,
    method: 'patch',
    summary: 'Edit the caption of a gallery image, named by its URL; absent fields keep their values',
    query: query.edit,
    handle: async ({ sql, services, params, query: given, actor, begin }) => {
      const project_id = await editableProject(sql, params.id, actor);
      const key = mediaKeyOrNull(services.settings, given.url as string);
      await begin(
        async (tx) => await editGalleryImage(tx, actor, { project_id, key }, captionOf(given, field)),
      );
      return undefined;
    },
  });

  authenticatedRoute(api, {
    ...one,
    method: 'delete',
    summary: 'Remove an image from the gallery, named by its URL',
    query: z.object({ url: z.string() }),
    handle: async ({ sql, services, params, query: { url }, actor, begin }) => {
      const project_id = await editableProject(sql, params.id, actor);
      const key = mediaKeyOrNull(services.settings, url);
      await removeGalleryImage(begin, services.storage, actor, { project_id, key });
      return undefined;
    },
  });
}
