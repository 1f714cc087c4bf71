import { z } from 'zod';
import { assertAllowed, Refused } from '#db/errors.ts';
import type { Actor } from '#db/people/rules.ts';
import { projectRef, standing } from '#db/projects/read.ts';
import { type Change, editProject } from '#db/publishing/edit-project.ts';
import { idShape } from '#db/shape.ts';
import type { Db } from '#db/sql.ts';
import { whyNotActInTeam } from '#db/teams/rules.ts';
import { type RevisedText, revised } from '#db/text/revision.ts';
import { publicRoute } from './route/endpoint.ts';
import type { Api, RouteContext } from './route/types.ts';

export const projectParams = z.object({ id: z.string() });

type Editing = Pick<
  RouteContext<typeof projectParams, never, never>,
  'sql' | 'services' | 'params' | 'now' | 'begin' | 'request'
> & {
  actor: Actor;
};

/** PATCH of a project in either version: renders the text before the transaction. Refuses what `edit` refuses. */
export async function patchProject(
  { sql, services, params, request, actor, now, begin }: Editing,
  change: Change,
  api: 2 | 3,
): Promise<undefined> {
  const project = await projectRef(sql, params.id);
  if (!project) throw new Refused('not_found');
  let body: RevisedText | null = null;
  const { body: source } = change;
  if (source != null) {
    const why = whyNotActInTeam(await standing(sql, project.id, actor), 'EDIT_BODY');
    assertAllowed(why, { permission: 'EDIT_BODY' }); // checked again under the lock; before any rendering
    const from = { account: actor.user_id, signal: request.signal };
    body = await revised(sql, () => services.renderer.render(source, from));
  }
  await begin(async (tx) => await editProject(tx, actor, project.id, { change, body, api, now }));
  return undefined;
}

/**
 * The id of a project whose details the actor may edit: checked before an image is read; the write checks it again under
 * its lock. Refuses `project_unknown` (400), `not_a_member`, `permission_missing`.
 */
export async function editableProject(sql: Db, idOrSlug: string, actor: Actor): Promise<string> {
  const project = await projectRef(sql, idOrSlug);
  if (!project) throw new Refused('project_unknown');
  assertAllowed(whyNotActInTeam(await standing(sql, project.id, actor), 'EDIT_DETAILS'), {
    permission: 'EDIT_DETAILS',
  });
  return project.id;
}

/** The GET check, the same in both versions; it answers for hidden projects too. Source: api-behaviours §4. */
export function checkRoute(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/project/{id}/check',
    summary: 'Whether an id or slug is in use, also by a hidden project',
    tag: 'projects',
    params: projectParams,
    answer: z.object({ id: idShape }),
    handle: async ({ sql, params }) => {
      const project = await projectRef(sql, params.id);
      if (!project) throw new Refused('not_found');
      return { id: project.id };
    },
  });
}
