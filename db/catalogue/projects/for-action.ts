import { type RefusalCode, Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { accessTo } from '../teams/access.ts';
import type { Access } from '../teams/rules.ts';
import { type ProjectRef, projectRef } from './read.ts';
import { whyNotSeeProject } from './rules.ts';

/** A project that the actor may see, with what the rules about its members need. */
export interface ProjectForAction extends ProjectRef {
  access: Access;
}

/**
 * The project with this id or slug, for any action on it: a hidden one is refused with `missing` like one that does not
 * exist, before any permission is asked. Source: api-behaviours §4.
 */
export async function projectForAction(
  db: Db,
  idOrSlug: string,
  actor: Actor | null,
  missing: RefusalCode = 'not_found',
): Promise<ProjectForAction> {
  const project = await projectRef(db, idOrSlug);
  if (!project) throw new Refused(missing);
  const access = await accessTo(db, project.id, actor);
  if (whyNotSeeProject(project.status, access)) throw new Refused(missing);
  return { ...project, access };
}
