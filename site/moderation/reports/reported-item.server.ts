import { findProject } from '#db/catalogue/projects/read.ts';
import { versionsByIds } from '#db/catalogue/versions/read.ts';
import type { Report } from '#db/moderation/reports/shape.ts';
import { isId } from '#db/platform/id.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { AppServices } from '../../platform/context.ts';
import { projectPath, userPath } from '../../platform/paths/routes.ts';

/** What can be reported, as a screen shows it. */
export interface ReportedItem {
  type: 'project' | 'version' | 'user';
  id: string;
  name: string;
  /** The project of a version. */
  of: string | null;
  picture: string | null;
  /** The path of its page. */
  path: string;
}

/**
 * The item that somebody names by its id, slug or username, as far as the actor sees it; null for anything else. A whole
 * address of ours is taken by its last part.
 */
export async function reportedItem(
  services: AppServices,
  actor: Actor,
  type: ReportedItem['type'] | string,
  text: string,
): Promise<ReportedItem | null> {
  const name = text
    .trim()
    .replace(/(?<![/?#])[/?#]+$/, '')
    .split('/')
    .at(-1)!
    .slice(0, 100);
  if (name === '') return null;
  if (type === 'user') {
    const user = await userByIdOrName(services, name);
    if (!user) return null;
    const { id, username, avatar_url } = user;
    return { type, id, name: username, of: null, picture: avatar_url, path: userPath(username) };
  }
  if (type === 'version') {
    const [version] = isId(name) ? await versionsByIds(services, [name], actor, { changelog: false }) : [];
    const project = version && (await findProject(services, version.project_id, actor));
    if (!version || !project) return null;
    const path = `${projectPath(project)}/version/${version.id}`;
    return { type, id: version.id, name: version.name, of: project.title, picture: project.icon_url, path };
  }
  if (type !== 'project') return null;
  const project = await findProject(services, name, actor);
  if (!project) return null;
  const { id, title, icon_url } = project;
  return { type, id, name: title, of: null, picture: icon_url, path: projectPath(project) };
}

/** The item of a report, null when it is gone or hidden from the actor. */
export const itemOfReport = async (
  services: AppServices,
  actor: Actor,
  { item_type, item_id }: Pick<Report, 'item_type' | 'item_id'>,
): Promise<ReportedItem | null> =>
  item_type === 'unknown' ? null : await reportedItem(services, actor, item_type, item_id);
