import { z } from 'zod';
import { editableTarget } from '#db/catalogue/image-uploads/embed.ts';
import { storeTextImage } from '#db/catalogue/image-uploads/store.ts';
import { imageById, imageShape } from '#db/messages/images/read.ts';
import { type ImageContext, imageContexts, imageLimits } from '#db/messages/images/rules.ts';
import { editableReport } from '#db/moderation/reports/editable.ts';
import { Refused } from '#db/platform/errors.ts';
import { processTextImage } from '#db/platform/files/image.ts';
import { hasScope } from '#db/platform/people/rules.ts';
import type { Scope } from '#db/platform/people/scopes/rules.ts';
import { idShape } from '#db/platform/shape.ts';
import { authenticatedRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';
import { receiveImage } from '../platform/upload/upload.ts';

const scopes: Record<ImageContext, Scope> = {
  project: 'PROJECT_WRITE',
  version: 'VERSION_WRITE',
  thread_message: 'THREAD_WRITE',
  report: 'REPORT_WRITE',
};

/** Images of texts. Source: api-v3 §3.9; api-behaviours §15. */
export function imageRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/image',
    summary: 'Upload an image of at most 1 MiB for a text; the scope follows from its context',
    tag: 'images',
    needs: 'any token',
    query: z.object({
      ext: z.string().optional(),
      context: z.enum(imageContexts),
      project_id: z.string().max(100).optional(),
      version_id: idShape.optional(),
      thread_message_id: idShape.optional(),
      report_id: idShape.optional(),
    }),
    raw: ['image/png', 'image/jpeg', 'image/bmp', 'image/gif', 'image/webp'],
    answer: imageShape,
    handle: async ({ services, sql, query, request, actor, begin, now }) => {
      const { context, ext } = query;
      const scope = scopes[context];
      if (!hasScope(actor, scope)) throw new Refused('scope_missing', { scope });
      const item_id = query[`${context}_id`] ?? null;
      if (item_id !== null) await editableTarget(sql, actor, { context, id: item_id }, editableReport);
      const image = await processTextImage(await receiveImage(request, services, imageLimits.bytes, ext));
      const id = await storeTextImage(
        begin,
        services.storage,
        { actor, context, item_id, image, now },
        editableReport,
      );
      return (await imageById(services, id))!;
    },
  });
}
