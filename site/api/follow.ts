import type { z } from 'zod';
import { assertAllowed, Refused } from '#db/errors.ts';
import { refsOf } from '#db/follows/read.ts';
import { whyNotListFollows } from '#db/follows/rules.ts';
import * as follows from '#db/follows/write.ts';
import { userByIdOrName } from '#db/people/read.ts';
import { type Actor, readerWith } from '#db/people/rules.ts';
import { rowsInOrder } from '#db/projects/pages.ts';
import { projectRef } from '#db/projects/read.ts';
import type { ProjectRow } from '#db/projects/row.ts';
import type { ReadContext } from '#db/read-context.ts';
import { mapped } from '#db/runtime/pages.ts';
import type { Db } from '#db/sql.ts';
import type { MediaSettings } from '#db/storage/url.ts';
import { projectParams } from './project-edit.ts';
import { authenticatedRoute } from './route/endpoint.ts';
import type { Api } from './route/types.ts';
import { streamedArray } from './streamed.ts';

/**
 * Following, the same in v2 and v3 except for the shape of a project. A missing project is 400 here (api-behaviours §17
 * no. 11). Source: api-v2 §4, §7; api-v3 §3.1, §3.7.
 */
export function followRoutes<S extends z.ZodType>(
  api: Api,
  answer: z.ZodArray<S>,
  displayed: (settings: MediaSettings, row: ProjectRow) => z.input<S>,
): void {
  const one = { path: '/project/{id}/follow', params: projectParams, needs: ['USER_WRITE'] as const };
  authenticatedRoute(api, {
    ...one,
    method: 'post',
    summary: 'Follow a project',
    tag: 'projects',
    handle: async ({ sql, params, actor, begin, now }) => {
      const id = await idOf(sql, params.id);
      await begin(async (tx) => await follows.follow(tx, actor, id, now));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    ...one,
    method: 'delete',
    summary: 'Unfollow a project',
    tag: 'projects',
    handle: async ({ sql, params, actor, begin }) => {
      const id = await idOf(sql, params.id);
      await begin(async (tx) => await follows.unfollow(tx, actor, id));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/user/{id}/follows',
    summary: 'The followed projects of a user, last followed first',
    tag: 'users',
    needs: ['USER_READ'],
    params: projectParams,
    answer,
    handle: async ({ sql, services, params, actor }) => {
      const user_id = await ownUserId(services, params.id, actor);
      const refs = await refsOf(sql, user_id, readerWith(actor, 'PROJECT_READ'));
      return await streamedArray(
        answer.element,
        mapped(rowsInOrder(sql, refs), (row) => displayed(services.settings, row)),
      );
    },
  });
}

/** Hidden ones too: who follows one may end that. What follows refuses as for a missing one. */
async function idOf(sql: Db, idOrSlug: string): Promise<string> {
  const project = await projectRef(sql, idOrSlug);
  if (!project) throw new Refused('project_unknown');
  return project.id;
}

async function ownUserId(services: ReadContext, idOrName: string, actor: Actor): Promise<string> {
  const user = await userByIdOrName(services, idOrName);
  if (!user) throw new Refused('not_found');
  assertAllowed(whyNotListFollows(actor, user.id));
  return user.id;
}
