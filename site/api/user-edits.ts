import { z } from 'zod';
import { setAvatar } from '#db/accounts/account/avatar.ts';
import { editUser } from '#db/accounts/account/edit.ts';
import { removeUser } from '#db/accounts/account/remove.ts';
import { userEditShape } from '#db/accounts/account/shape.ts';
import { setVenmoHandle } from '#db/money/payouts/details.ts';
import { assertAllowed, type RefusalCode, Refused } from '#db/platform/errors.ts';
import { processIcon } from '#db/platform/files/image.ts';
import { imageBytes } from '#db/platform/files/rules.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import { type Actor, type Role, whyNotDeleteUser, whyNotEditUser } from '#db/platform/people/rules.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { authenticatedRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';
import { receiveImage } from '../platform/upload/upload.ts';

const params = z.object({ id: z.string() });
const tag = 'users';

/**
 * Changes of a profile, its icon, and deletion of an account, the same in both versions. Source: api-v2 §7; api-v3
 * §3.7.
 */
export function userEditRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'patch',
    path: '/user/{id}',
    summary: 'Edit a profile; absent fields keep their values',
    tag,
    needs: ['USER_WRITE'],
    params,
    body: userEditShape,
    handle: async ({ services, params, body, actor, begin, now }) => {
      const id = await allowedUser(services, params.id, actor, whyNotEditUser);
      await begin(async (tx) => {
        await editUser(tx, actor, id, body, now);
        const { venmo_handle: typed } = body;
        if (typed !== undefined) await setVenmoHandle(tx, services, actor, { user_id: id, typed }, now);
      });
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/user/{id}',
    summary: 'Delete an account; its projects go to the Ghost user',
    tag,
    needs: ['USER_DELETE'],
    params,
    handle: async ({ services, params, actor, begin, now }) => {
      const id = await allowedUser(services, params.id, actor, whyNotDeleteUser);
      const prefixes = await begin(async (tx) => await removeUser(tx, actor, id, now));
      for (const prefix of prefixes)
        await services.storage.removeAll(prefix).catch((err: unknown) => {
          services.log.warn(
            { err, user_id: id },
            'An image of a deleted user could not be removed; the next garbage collection removes it',
          );
        });
      return undefined;
    },
  });

  iconRoutes(api);
}

function iconRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'patch',
    path: '/user/{id}/icon',
    summary: 'Set an avatar of at most 256 KiB',
    tag,
    needs: ['USER_WRITE'],
    params,
    query: z.object({ ext: z.string().optional() }),
    raw: ['image/png', 'image/jpeg', 'image/bmp', 'image/gif', 'image/webp'],
    handle: async ({ services, params, query, request, actor, begin, now }) => {
      const id = await allowedUser(services, params.id, actor, whyNotEditUser);
      const bytes = await receiveImage(request, services, imageBytes.icon, query.ext);
      const image = await processIcon(bytes, query.ext ?? '');
      await setAvatar(begin, services.storage, { actor, user_id: id, now }, image);
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/user/{id}/icon',
    summary: 'Remove an avatar',
    tag,
    needs: ['USER_WRITE'],
    params,
    handle: async ({ services, params, actor, begin, now }) => {
      const id = await allowedUser(services, params.id, actor, whyNotEditUser);
      await setAvatar(begin, services.storage, { actor, user_id: id, now }, null);
      return undefined;
    },
  });
}

/**
 * The id of the user if the rule allows the actor the change: asked before any slow work; the write asks again under
 * its lock. Refuses `not_found` and what the rule says.
 */
async function allowedUser(
  services: ReadContext,
  idOrName: string,
  actor: Actor,
  why: (user: { id: string; role: Role }, actor: Actor) => RefusalCode | null,
): Promise<string> {
  const user = await userByIdOrName(services, idOrName);
  if (!user) throw new Refused('not_found');
  assertAllowed(why(user, actor));
  return user.id;
}
