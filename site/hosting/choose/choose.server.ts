import { findProject } from '#db/catalogue/projects/read.ts';
import { versionsOfProject } from '#db/catalogue/versions/read.ts';
import { serversFor } from '#db/hosting/servers/read.ts';
import { Refused } from '#db/platform/errors.ts';
import { typeOfProject } from '../../platform/paths/project-types.ts';

/** A project that is put on a server: what it is, and the user's servers. */

const installed: readonly string[] = ['mod', 'plugin', 'datapack', 'modpack'];
const max_versions = 200;

/**
 * The project of `?project=`, its versions, newest first, or the one of `?version=`, and the servers of the user; null for
 * an anonymous visitor. Refuses `not_found` also for what no server loads.
 */
export async function loadChoice({ services, currentActor, now }: App.Locals, query: URLSearchParams) {
  const actor = await currentActor();
  const project = await findProject(services, query.get('project') ?? '', actor);
  const type = project && typeOfProject(project).type;
  if (!project || !type || !installed.includes(type)) throw new Refused('not_found');
  const all = await versionsOfProject(
    services,
    project.id,
    { include_changelog: false, limit: max_versions },
    actor,
  );
  const named = all.filter(({ id }) => id === query.get('version'));
  const listed = actor && (await serversFor(services.sql, actor, now));
  // of others only those whose content the user may change
  const servers =
    listed === null
      ? null
      : listed.servers.filter(({ id }) => listed.shared[id]?.rights.includes('content') ?? true);
  return { project, type, versions: named.length > 0 ? named : all, version: named[0] ?? null, servers };
}
