import { z } from 'zod';
import { setCollectionIcon } from '#db/catalogue/collections/icon.ts';
import { findCollection } from '#db/catalogue/collections/read.ts';
import { whyNotChangeCollection } from '#db/catalogue/collections/rules.ts';
import { limits } from '#db/catalogue/collections/shape.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { processIcon } from '#db/platform/files/image.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { idShape } from '#db/platform/shape.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { receiveImage } from '../../platform/upload/upload.ts';

const params = z.object({ id: idShape });

/** A collection's icon. Source: api-v3 §3.9; api-v2 §1.8. */
export function iconRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'patch',
    path: '/collection/{id}/icon',
    summary: 'Set a collection icon of at most 256 KiB',
    tag: 'collections',
    needs: ['COLLECTION_WRITE'],
    params,
    query: z.object({ ext: z.string().optional() }),
    raw: ['image/png', 'image/jpeg', 'image/bmp', 'image/gif', 'image/webp'],
    handle: async ({ services, params: { id }, query, request, actor, begin, now }) => {
      await refuseForeign(services, id, actor);
      const bytes = await receiveImage(request, services, limits.icon_bytes, query.ext);
      const icon = await processIcon(bytes, query.ext ?? '');
      await setCollectionIcon(begin, services.storage, { actor, id, now }, icon);
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/collection/{id}/icon',
    summary: "Remove a collection's icon and colour",
    tag: 'collections',
    needs: ['COLLECTION_WRITE'],
    params,
    handle: async ({ services, params: { id }, actor, begin, now }) => {
      await setCollectionIcon(begin, services.storage, { actor, id, now }, null);
      return undefined;
    },
  });
}

/** Checks the rule before the image is read; the write checks it again under its lock. */
async function refuseForeign(services: ReadContext, id: string, actor: Actor): Promise<void> {
  const collection = await findCollection(services, id, actor);
  if (!collection) throw new Refused('not_found');
  assertAllowed(whyNotChangeCollection({ ...collection, projects: collection.projects.length }, actor));
}
