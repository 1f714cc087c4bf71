import type { Actor } from '../../platform/people/rules.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrlOrNull } from '../../platform/storage/url.ts';
import { displayLoaders, v2ProjectType } from '../tags/rules.ts';
import { visibleProjects } from './read.ts';
import type { Status } from './rules.ts';

/** What a sentence about a project needs: its name, its icon and where its page is. */
export interface ProjectLabel {
  id: string;
  slug: string;
  title: string;
  project_type: string;
  project_types: string[];
  loaders: string[];
  icon_url: string | null;
}

/** The projects with these ids that the actor may see, by id; hidden and unknown ones are absent. */
export async function projectLabels(
  { sql, settings }: ReadContext,
  ids: readonly string[],
  actor: Actor | null,
): Promise<Map<string, ProjectLabel>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<
    Array<{
      id: string;
      slug: string;
      title: string;
      status: Status;
      project_types: string[];
      loaders: string[];
      mrpack_loaders: string[];
      icon_key: string | null;
    }>
  >`
    select id, slug, title, status, project_types, loaders, mrpack_loaders, icon_key from projects
    where id = any(${[...new Set(ids)]})`;
  const labels = (await visibleProjects(sql, rows, actor)).map(
    ({ id, slug, title, project_types, loaders, mrpack_loaders, icon_key }): ProjectLabel => ({
      id,
      slug,
      title,
      project_type: v2ProjectType(project_types),
      project_types,
      loaders: displayLoaders({ loaders, mrpack_loaders }),
      icon_url: mediaUrlOrNull(settings, icon_key),
    }),
  );
  return new Map(labels.map((label) => [label.id, label]));
}
