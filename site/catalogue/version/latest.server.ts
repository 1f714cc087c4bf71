import type { Project } from '#db/catalogue/projects/shape.ts';
import { versionsOfProject } from '#db/catalogue/versions/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { projectPath } from '../../platform/paths/routes.ts';
import { latest } from './latest.ts';
import { versionAddress } from './version-address.ts';

/** The redirect target of `/version/latest`: the newest version, or the list that says there is none. */
export async function latestPath(
  { services, url }: { services: App.Locals['services']; url: URL },
  project: Project,
  actor: Actor | null,
): Promise<string> {
  const versions = await versionsOfProject(services, project.id, { include_changelog: false }, actor);
  const { version, query } = latest(versions, url.searchParams);
  return version ? versionAddress(project, version, versions) : `${projectPath(project)}/versions${query}`;
}
