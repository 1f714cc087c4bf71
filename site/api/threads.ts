import { z } from 'zod';
import { postMessage } from '#db/messages/threads/post.ts';
import { findThread, threadsByIds } from '#db/messages/threads/read.ts';
import { removeMessage } from '#db/messages/threads/remove-message.ts';
import {
  limits,
  postShape,
  type Thread,
  threadShape,
  threadV2,
  threadV2Shape,
} from '#db/messages/threads/shape.ts';
import { Refused } from '#db/platform/errors.ts';
import { idShape } from '#db/platform/shape.ts';
import { authenticatedRoute, jsonText } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';
import { userV3Of, userV3Shape } from './v3/user-shape.ts';

const params = z.object({ id: idShape });
const query = z.object({ ids: jsonText(z.array(idShape).max(limits.ids)) });
const tag = 'threads';
const threadV3Shape = threadShape.extend({ members: z.array(userV3Shape) }).meta({ id: 'ThreadV3' });
const threadV3 = (thread: Thread) => ({ ...thread, members: thread.members.map((user) => userV3Of(user)) });

/**
 * Threads and their messages. A single thread has the shape of v3 in v2 too (api-behaviours §17 no. 6). Source: api-v2
 * §10; api-behaviours §8.
 */
export function threadRoutes(api: Api, version: 2 | 3): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/thread/{id}',
    summary: 'A thread with its messages, oldest first',
    tag,
    needs: ['THREAD_READ'],
    params,
    answer: threadV3Shape,
    handle: async ({ services, params: { id }, actor }) => {
      const thread = await findThread(services, id, actor);
      if (!thread) throw new Refused('not_found');
      return threadV3(thread);
    },
  });

  const many = {
    method: 'get',
    path: '/threads',
    summary: 'Threads by ids; unknown and hidden ones are left out',
    tag,
    needs: ['THREAD_READ' as const],
    query,
  } as const;
  if (version === 2)
    authenticatedRoute(api, {
      ...many,
      needs: ['THREAD_READ'],
      answer: z.array(threadV2Shape),
      handle: async (call) => (await threadsByIds(call.services, call.query.ids, call.actor)).map(threadV2),
    });
  else
    authenticatedRoute(api, {
      ...many,
      needs: ['THREAD_READ'],
      answer: z.array(threadV3Shape),
      handle: async (call) => (await threadsByIds(call.services, call.query.ids, call.actor)).map(threadV3),
    });

  authenticatedRoute(api, {
    method: 'post',
    path: '/thread/{id}',
    summary: 'Post a text message; private ones are for moderators',
    tag,
    needs: ['THREAD_WRITE'],
    params,
    body: postShape,
    handle: async ({ params: { id }, body, actor, begin, now }) => {
      await begin(async (tx) => await postMessage(tx, actor, id, body, now));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/message/{id}',
    summary: 'Delete a message and its images',
    tag,
    needs: ['THREAD_WRITE'],
    params,
    handle: async ({ params: { id }, actor, begin }) => {
      await begin(async (tx) => await removeMessage(tx, actor, id));
      return undefined;
    },
  });
}
