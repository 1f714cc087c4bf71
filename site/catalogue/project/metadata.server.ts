import { bylineOf } from '#db/catalogue/projects/public.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import { breadcrumbSchema, projectSchema } from '../../platform/metadata/json-ld.ts';
import type { PageMetadata } from '../../platform/metadata/page-metadata.ts';
import { typeOfProject } from '../../platform/paths/project-types.ts';
import { projectCardPath, projectPath, versionsFeed } from '../../platform/paths/routes.ts';
import { bidiIsolated } from '../../platform/text/bidi.ts';

/** The metadata of a project page; `steps` are the breadcrumbs from the project to the page: names with their paths. */
export async function metadataOfProject(
  { t, services }: Pick<App.Locals, 't' | 'services'>,
  project: Project,
  newest: Pick<Version, 'version_number'> | null,
  steps: ReadonlyArray<readonly [name: string, path: string]> = [],
): Promise<PageMetadata> {
  const site = services.settings.SITE_URL;
  const kind = typeOfProject(project);
  const picture = projectCardPath(project);
  const { maker, organization } = await bylineOf(services.sql, project.id);
  const version = newest?.version_number ?? null;
  const trail = [[t(kind.many), kind.path], [project.title, projectPath(project)], ...steps] as const;
  return {
    picture,
    feeds: [
      { path: versionsFeed(project), title: t('feeds.versions', { title: bidiIsolated(project.title) }) },
    ],
    schema: [
      ...(steps.length === 0
        ? [projectSchema(site, project, { maker, organization, version, picture: site + picture })]
        : []),
      breadcrumbSchema(site, trail),
    ],
  };
}
