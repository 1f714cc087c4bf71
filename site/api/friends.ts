import { z } from 'zod';
import { blockedBy, friendShape, friendsOf } from '#db/accounts/friends/read.ts';
import { befriend, block, unblock, unfriend } from '#db/accounts/friends/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { authenticatedRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';

/** Friends and blocks. Source: api-v3 §3.8. */
export function friendRoutes(api: Api): void {
  change(api, 'post', '/friend/{id}', 'Ask a user for friendship, or accept their request', befriend);
  change(api, 'delete', '/friend/{id}', 'Reject or cancel a request, or end a friendship', unfriend);
  change(api, 'post', '/block/{id}', 'Block a user, which ends a friendship', block);
  change(api, 'delete', '/block/{id}', 'End a block', unblock);

  authenticatedRoute(api, {
    method: 'get',
    path: '/friends',
    summary: 'Friendships and requests in both directions: `friend_id` asked `id`',
    tag: 'friends',
    needs: ['USER_READ'],
    answer: z.array(friendShape),
    handle: async ({ sql, actor }) => await friendsOf(sql, actor.user_id),
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/blocks',
    summary: 'Ids of the users you blocked',
    tag: 'friends',
    needs: ['USER_READ'],
    answer: z.array(z.string()),
    handle: async ({ sql, actor }) => await blockedBy(sql, actor.user_id),
  });
}

/** A change between the caller and the user that the path names by id or name. */
function change(
  api: Api,
  method: 'post' | 'delete',
  path: string,
  summary: string,
  verb: (tx: Db, actor: Actor, other: string, now: Date) => Promise<void>,
): void {
  authenticatedRoute(api, {
    method,
    path,
    summary,
    tag: 'friends',
    needs: ['USER_WRITE'],
    params: z.object({ id: z.string() }),
    handle: async ({ services, params, actor, begin, now }) => {
      const other = await idOf(services, params.id);
      await begin(async (tx) => await verb(tx, actor, other, now));
      return undefined;
    },
  });
}

async function idOf(services: ReadContext, idOrName: string): Promise<string> {
  const user = await userByIdOrName(services, idOrName);
  if (!user) throw new Refused('not_found');
  return user.id;
}
