import { projectsByIds } from '#db/catalogue/projects/read.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import { displayLoaders } from '#db/catalogue/tags/rules.ts';
import { managedVersions, rowById, rowByNumber, versionsByIds } from '#db/catalogue/versions/read.ts';
import { type VersionRow, versionOf } from '#db/catalogue/versions/row.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { versionPath } from '../version/version-address.ts';
import type { ChosenDependency, VersionFields } from './draft.ts';
import type { EditedVersion } from './submit.ts';

/** The version of a project with this id or number as its form shows it, whatever its status; null when there is none. */
export async function editedVersion(
  { services }: Pick<App.Locals, 'services'>,
  project: Project,
  idOrNumber: string,
  actor: Actor,
): Promise<EditedVersion | null> {
  const { sql, settings } = services;
  const byId = await rowById(sql, idOrNumber, actor);
  const row = byId?.project_id === project.id ? byId : await rowByNumber(sql, project.id, idOrNumber, actor);
  if (!row) return null;
  const [managed] = await managedVersions(sql, project.id, row.id);
  const version = versionOf(settings, row);
  return {
    id: row.id,
    number: row.version_number,
    path: versionPath(project, row, true),
    pack: row.loaders.includes('mrpack'),
    scheduled_for: managed?.scheduled_for ?? null,
    fields: {
      ...fieldsOf(row),
      loaders: displayLoaders(row),
      dependencies: await dependenciesOf(services, version, actor),
    },
    files: version.files.map(({ hashes, filename, size, primary, file_type }) => ({
      ...{ sha512: hashes.sha512, filename, size, primary, file_type, removed: false },
    })),
  };
}

const fieldsOf = (row: VersionRow): Omit<VersionFields, 'dependencies' | 'loaders'> => ({
  ...{ name: row.name, version_number: row.version_number, version_type: row.version_type },
  game_versions: row.game_versions,
  environment: row.environment === 'unknown' ? '' : row.environment,
  changelog: row.changelog ?? '',
  featured: row.featured,
  ordering: row.ordering === null ? '' : String(row.ordering),
  // another status is none that members choose
  status: row.status === 'unknown' ? 'draft' : row.status,
  release_at: '',
});

async function dependenciesOf(
  services: App.Locals['services'],
  { dependencies }: Version,
  actor: Actor,
): Promise<ChosenDependency[]> {
  const ids = (list: Array<string | null>) => [...new Set(list.filter((id) => id !== null))];
  const [projects, versions] = await Promise.all([
    projectsByIds(services, ids(dependencies.map(({ project_id }) => project_id)), actor),
    versionsByIds(services, ids(dependencies.map(({ version_id }) => version_id)), actor, {
      changelog: false,
    }),
  ]);
  return dependencies.map((one) => {
    const title = projects.find(({ id }) => id === one.project_id)?.title;
    const number = versions.find(({ id }) => id === one.version_id)?.version_number ?? null;
    return { ...one, version_number: number, title: title ?? one.file_name ?? one.project_id ?? '' };
  });
}
