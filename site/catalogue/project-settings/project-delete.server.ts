import { projectForAction } from '#db/catalogue/projects/for-action.ts';
import { removeProject } from '#db/catalogue/projects/remove.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { RouteContext } from '../../platform/route/types.ts';
import type { projectParams } from './project-edit.server.ts';

/** DELETE of a project in either version; the stored files go after the commit. Refuses what `removeProject` refuses. */
export async function deleteProject({
  sql,
  services,
  params,
  actor,
  begin,
  now,
}: Pick<RouteContext<typeof projectParams, never, never>, 'sql' | 'services' | 'params' | 'begin' | 'now'> & {
  actor: Actor;
}): Promise<undefined> {
  const project = await projectForAction(sql, params.id, actor, 'not_a_member');
  const prefix = await begin(async (tx) => await removeProject(tx, actor, project.id, now));
  if (!prefix) return;
  await services.storage.removeAll(prefix).catch((err: unknown) => {
    services.log.warn(
      { err, project_id: project.id },
      'The stored files of a deleted project could not be removed; the next garbage collection removes them',
    );
  });
}
