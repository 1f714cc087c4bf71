import { type OpenPoint, openPoints, type ProjectFacts } from '#db/catalogue/checklist/rules.ts';
import { checklistFacts } from '#db/catalogue/projects/checklist-facts.ts';
import { type OwnFields, ownFields } from '#db/catalogue/projects/own-fields.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import { accessTo } from '#db/catalogue/teams/access.ts';
import { type Access, permissionsOf } from '#db/catalogue/teams/rules.ts';
import { asksAttribution } from '#db/moderation/attribution/read.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { typeOfProject } from '../../platform/paths/project-types.ts';
import { loadProject } from '../project/project.server.ts';
import { type ProjectScreen, projectScreens } from './screens.ts';

/** What every page of a project's settings knows. */
export interface ProjectSettings {
  project: Project;
  actor: Actor;
  access: Access;
  /** What members set, as it is stored. */
  own: OwnFields;
  facts: ProjectFacts;
  /** The pages that there are for a project of its kinds. */
  screens: readonly ProjectScreen[];
  /** The open points of the publishing checklist, the most important first. */
  open: OpenPoint[];
}

/**
 * Loads the project of a settings page for somebody who has rights on it, or gives the redirect to its canonical address.
 * Refuses `authentication_required` to anonymous visitors of a visible project, and `settings_closed` to everybody else without
 * rights; hidden projects look absent to them before.
 */
export async function loadProjectSettings(
  page: Parameters<typeof loadProject>[0],
): Promise<ProjectSettings | Response> {
  const { locals } = page;
  const actor = await locals.currentActor();
  const project = await loadProject(page);
  if (project instanceof Response) return project;
  if (!actor) throw new Refused('authentication_required');
  const { sql } = locals.services;
  const [access, facts, own, asks] = await Promise.all([
    accessTo(sql, project.id, actor),
    checklistFacts(sql, project.id),
    ownFields(sql, project.id),
    asksAttribution(sql, project.id),
  ]);
  if (!facts || !own) throw new Refused('not_found');
  if (permissionsOf(access) === null) throw new Refused('settings_closed');
  // a pack that is held while nobody answers for its files counts for no kind yet
  const hasPacks = asks || typeOfProject(project).type === 'modpack';
  const screens = projectScreens.filter(({ of_packs }) => !of_packs || hasPacks);
  return { project, actor, access, own, facts, screens, open: openPoints(facts) };
}
