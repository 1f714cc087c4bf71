import { z } from 'zod';
import * as collections from '#db/catalogue/collections/read.ts';
import { followingId } from '#db/catalogue/collections/rules.ts';
import { collectionShape, createShape, editShape, limits } from '#db/catalogue/collections/shape.ts';
import { createCollection, editCollection, removeCollection } from '#db/catalogue/collections/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import { readerWith } from '#db/platform/people/rules.ts';
import { idShape } from '#db/platform/shape.ts';
import { authenticatedRoute, jsonText, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { iconRoutes } from './collection-icon.ts';

const params = z.object({ id: idShape });
const tag = 'collections';

/** Collections of projects, each owned by one user. Source: api-v3 §3.7, §3.9. */
export function collectionRoutes(api: Api): void {
  reads(api);
  writes(api);
  iconRoutes(api);
}

function reads(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/collection/{id}',
    summary: 'A collection; `following` is the list of followed projects of the caller',
    tag,
    reads: ['COLLECTION_READ'],
    params,
    answer: collectionShape,
    handle: async ({ sql, services, params: { id }, actor }) => {
      const reader = id === followingId ? readerWith(actor, 'USER_READ') : actor;
      const own = id === followingId && reader;
      const collection = own
        ? await collections.following(sql, own)
        : await collections.findCollection(services, id, actor);
      if (!collection) throw new Refused('not_found');
      return collection;
    },
  });

  publicRoute(api, {
    method: 'get',
    path: '/collections',
    summary: 'Collections by ids; unknown and hidden ones are left out',
    tag,
    reads: ['COLLECTION_READ'],
    query: z.object({ ids: jsonText(z.array(z.string()).max(limits.ids)) }),
    answer: z.array(collectionShape),
    handle: async ({ services, query, actor }) =>
      await collections.collectionsByIds(services, query.ids, actor),
  });

  publicRoute(api, {
    method: 'get',
    path: '/user/{id}/collections',
    summary: 'The collections of a user, newest first',
    tag,
    reads: ['COLLECTION_READ'],
    params: z.object({ id: z.string() }),
    answer: z.array(collectionShape),
    handle: async ({ services, params, actor }) => {
      const user = await userByIdOrName(services, params.id);
      if (!user) throw new Refused('not_found');
      return await collections.collectionsOfUser(services, user.id, actor);
    },
  });
}

function writes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/collection',
    summary: 'Create a collection; unknown projects are dropped',
    tag,
    create_errors: true,
    needs: ['COLLECTION_CREATE'],
    body: createShape,
    answer: collectionShape,
    handle: async ({ services, body, actor, begin, now }) =>
      await begin(async (tx) => {
        const id = await createCollection(tx, actor, body, now);
        return (await collections.findCollection({ ...services, sql: tx }, id, actor))!;
      }),
  });

  authenticatedRoute(api, {
    method: 'patch',
    path: '/collection/{id}',
    summary: 'Edit a collection; absent fields keep their values, the project list is replaced',
    tag,
    needs: ['COLLECTION_WRITE'],
    params,
    body: editShape,
    handle: async ({ params, body, actor, begin, now }) => {
      await begin(async (tx) => await editCollection(tx, actor, params.id, body, now));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/collection/{id}',
    summary: 'Delete a collection',
    tag,
    needs: ['COLLECTION_DELETE'],
    params,
    handle: async ({ services, params, actor, begin }) => {
      const prefix = await begin(async (tx) => await removeCollection(tx, actor, params.id));
      await services.storage.removeAll(prefix).catch((err: unknown) => {
        services.log.warn(
          { err, collection_id: params.id },
          'The icon of a deleted collection could not be removed; the next garbage collection removes it',
        );
      });
      return undefined;
    },
  });
}
