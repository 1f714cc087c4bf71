import { z } from 'zod';
import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrl } from '../../platform/storage/url.ts';
import { type ImageContext, imageContexts } from './rules.ts';

const target = z.string().nullable().optional();

/** An image of a text as a v3 response, with the id of its context's kind. Source: api-v3 §2.7. */
export const imageShape = z
  .object({
    id: z.string(),
    url: z.string(),
    size: z.int(),
    created: z.string(),
    owner_id: z.string(),
    context: z.enum(imageContexts),
    project_id: target,
    version_id: target,
    thread_message_id: target,
    report_id: target,
  })
  .meta({ id: 'Image' });
export type Image = z.input<typeof imageShape>;

/** The image with this id, null when it does not exist. Checks no rule. */
export async function imageById({ sql, settings }: ReadContext, id: string): Promise<Image | null> {
  const [row] = await sql<
    Array<Omit<Image, 'url'> & { key: string; context: ImageContext; used_by: string | null }>
  >`
    select id, key, size, created, owner_id, context,
      coalesce(project_id, version_id, thread_message_id, report_id) as used_by
    from images where id = ${id}`;
  if (!row) return null;
  const { key, used_by, ...image } = row;
  return { ...image, url: mediaUrl(settings, key), [`${row.context}_id`]: used_by };
}
