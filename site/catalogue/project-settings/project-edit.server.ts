import { z } from 'zod';
import { projectForAction } from '#db/catalogue/projects/for-action.ts';
import { findProjectRow, isSlugTaken, revisionOf } from '#db/catalogue/projects/read.ts';
import type { ExpectedRevision } from '#db/catalogue/projects/rules.ts';
import { type Change, editProject } from '#db/catalogue/publishing/edit-project.ts';
import { whyNotActInTeam } from '#db/catalogue/teams/rules.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { idShape } from '#db/platform/shape.ts';
import { type RevisedText, revised } from '#db/platform/text/revision.ts';
import { publicRoute } from '../../platform/route/endpoint.ts';
import type { Api, RouteContext } from '../../platform/route/types.ts';

export const projectParams = z.object({ id: z.string() });

type Editing = Pick<
  RouteContext<typeof projectParams, never, never>,
  'sql' | 'services' | 'params' | 'now' | 'begin' | 'request' | 'header'
> & {
  actor: Actor;
};

/** The ETag of a project: the revision of what members set. Counters change without it. */
export const etagOf = (revision: number): string => `"${revision}"`;

/** The revision that If-Match names; null without the header, and for `*`. Refuses `invalid_input`. */
function expectedOf(request: Request): ExpectedRevision | null {
  const header = request.headers.get('if-match');
  if (header === null || header.trim() === '*') return null;
  const [, digits] = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header) ?? [];
  if (digits === undefined)
    throw new Refused('invalid_input', { problem: 'If-Match must be the ETag of the project' });
  return { revision: Number(digits), of: 'project' };
}

/**
 * PATCH of a project in either version: renders the text before the transaction. With If-Match it saves only over the
 * revision that the caller read (ETag of GET); without, over any. Refuses what `editProject` refuses.
 */
export async function patchProject(
  { sql, services, params, request, actor, now, begin, header }: Editing,
  change: Change,
  api: 2 | 3,
): Promise<undefined> {
  const expected = expectedOf(request);
  const project = await projectForAction(sql, params.id, actor);
  const body = await renderedBody({ sql, services, request, actor }, project.id, change);
  const revision = await begin(async (tx) => {
    await editProject(tx, actor, project.id, { change, body, api, now, expected });
    return await revisionOf(tx, project.id);
  });
  header('etag', etagOf(revision));
  return undefined;
}

/** The body of a change, rendered; null when it has none. Refuses `not_found`, `not_a_member`, `permission_missing`. */
export async function renderedBody(
  { sql, services, request, actor }: Pick<Editing, 'sql' | 'services' | 'request' | 'actor'>,
  project_id: string,
  { body: source }: Change,
): Promise<RevisedText | null> {
  if (source == null) return null;
  const { access } = await projectForAction(sql, project_id, actor);
  const why = whyNotActInTeam(access, 'EDIT_BODY');
  assertAllowed(why, { permission: 'EDIT_BODY' }); // checked again under the lock; before any rendering
  const from = { account: actor.user_id, signal: request.signal };
  return await revised(sql, () => services.renderer.render(source, from));
}

/**
 * The id of a project whose details the actor may edit: checked before an image is read; the write checks it again under
 * its lock. Refuses `project_unknown` (400), `not_a_member`, `permission_missing`.
 */
export async function editableProject(sql: Db, idOrSlug: string, actor: Actor): Promise<string> {
  const { id, access } = await projectForAction(sql, idOrSlug, actor, 'project_unknown');
  assertAllowed(whyNotActInTeam(access, 'EDIT_DETAILS'), { permission: 'EDIT_DETAILS' });
  return id;
}

/**
 * The GET check, the same in both versions. A slug of a hidden project, or one that is kept for somebody, is in use too, but
 * whose it is stays untold: `id` is null. Source: api-behaviours §4.
 */
export function checkRoute(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/project/{id}/check',
    summary: 'Whether an id or slug is in use; the id is null for the slug of a hidden project',
    tag: 'projects',
    params: projectParams,
    reads: ['PROJECT_READ'],
    answer: z.object({ id: idShape.nullable() }),
    handle: async ({ sql, params, actor }) => {
      const project = await findProjectRow(sql, params.id, actor);
      if (!project && !(await isSlugTaken(sql, params.id))) throw new Refused('not_found');
      return { id: project?.id ?? null };
    },
  });
}
