import type { Project } from '#db/catalogue/projects/shape.ts';
import { gameVersions } from '#db/catalogue/tags/read.ts';
import { environments, loaders, packLoaderNames } from '#db/catalogue/tags/rules.ts';
import { accessTo } from '#db/catalogue/teams/access.ts';
import { whyNotActInTeam } from '#db/catalogue/teams/rules.ts';
import { versionsOfProject } from '#db/catalogue/versions/read.ts';
import { whyNotPublishVersion } from '#db/catalogue/versions/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { projectTypes, typeOfProject } from '../../platform/paths/project-types.ts';
import { projectPath } from '../../platform/paths/routes.ts';
import { tagName } from '../../platform/text/format.ts';
import { environmentKeys } from '../version/environments.ts';
import type { PublishPage } from './publish.store.ts';

type Locals = Pick<App.Locals, 'services' | 'messages' | 't'>;

/**
 * Whether the actor may publish versions of the project: a member without the permission is told so. Refuses `settings_closed`
 * for everybody else, as the page is not for them.
 */
export async function mayPublish({ services }: Locals, project: Project, actor: Actor): Promise<boolean> {
  const why = whyNotPublishVersion(await accessTo(services.sql, project.id, actor));
  if (why === 'permission_missing') return false;
  if (why) throw new Refused('settings_closed');
  return true;
}

/** What the form needs to know about a project and about this installation. */
export async function publishPage(
  { services, messages, t }: Locals,
  project: Project & { project_types?: readonly string[] },
  actor: Actor,
): Promise<PublishPage> {
  const kinds = new Set<string>([typeOfProject(project).type, ...(project.project_types ?? [])]);
  const games = await gameVersions(services.sql);
  const [newest] = await versionsOfProject(
    services,
    project.id,
    { include_changelog: false, limit: 1 },
    actor,
  );
  return {
    project: { id: project.id, title: project.title, path: projectPath(project) },
    loader_groups: projectTypes
      .filter(({ type }) => type !== 'modpack')
      .map(({ type, many }) => ({
        label: t(many),
        fits: kinds.has(type),
        loaders: loaders
          .filter(({ name, supported_project_types: [first] }) => first === type && name !== 'mrpack')
          .sort((a, b) => Number(a.hidden) - Number(b.hidden))
          .map(({ name, environment }) => ({ name, label: tagName(messages, name), environment })),
      })),
    pack_loaders: packLoaderNames,
    only_packs: kinds.size === 1 && kinds.has('modpack'),
    game_versions: games.map(({ version, version_type }) => [version, version_type]),
    environments: environments.flatMap((name) =>
      environmentKeys([name]).map((key) => ({ name, label: t(key) })),
    ),
    max_file_bytes: services.settings.MAX_FILE_BYTES,
    lacks_license:
      project.license.id === 'LicenseRef-Unknown' &&
      whyNotActInTeam(await accessTo(services.sql, project.id, actor), 'EDIT_DETAILS') === null,
    environment: newest && newest.environment !== 'unknown' ? newest.environment : '',
  };
}
