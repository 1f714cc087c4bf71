import type { z } from 'zod';
import { refsOf } from '#db/catalogue/follows/read.ts';
import { whyNotListFollows } from '#db/catalogue/follows/rules.ts';
import * as follows from '#db/catalogue/follows/write.ts';
import { rowsInOrder } from '#db/catalogue/projects/pages.ts';
import { projectRef } from '#db/catalogue/projects/read.ts';
import type { ProjectRow } from '#db/catalogue/projects/row.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import { type Actor, readerWith } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { mapped } from '#db/platform/runtime/pages.ts';
import type { MediaSettings } from '#db/platform/storage/url.ts';
import { projectParams } from '../catalogue/project-settings/project-edit.server.ts';
import { authenticatedRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';
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
