import { bylineOf } from '#db/projects/public.ts';
import type { Project } from '#db/projects/shape.ts';
import type { Version } from '#db/versions/shape.ts';
import { cardOf } from '../cards/places.ts';
import { versionsFeed } from '../feeds/places.ts';
import type { About } from '../machines/about.ts';
import { projectThing, trailThing } from '../machines/json-ld.ts';
import { isolated } from '../machines/xml.ts';
import { projectPath, shownKind } from './types.ts';

/** The same for every page of a project; `steps` lead on from the project to the page: names with their paths. */
export async function aboutProject(
  { t, services }: Pick<App.Locals, 't' | 'services'>,
  project: Project,
  newest: Pick<Version, 'version_number'> | null,
  steps: ReadonlyArray<readonly [name: string, path: string]> = [],
): Promise<About> {
  const site = services.settings.SITE_URL;
  const kind = shownKind(project);
  const picture = cardOf(project);
  const { maker, organization } = await bylineOf(services.sql, project.id);
  const version = newest?.version_number ?? null;
  const trail = [[t(kind.many), kind.path], [project.title, projectPath(project)], ...steps] as const;
  return {
    picture,
    feeds: [{ path: versionsFeed(project), title: t('feeds.versions', { title: isolated(project.title) }) }],
    things: [
      ...(steps.length === 0
        ? [projectThing(site, project, { maker, organization, version, picture: site + picture })]
        : []),
      trailThing(site, trail),
    ],
  };
}
