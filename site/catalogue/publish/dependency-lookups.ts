import type { Version } from '#db/catalogue/versions/shape.ts';
import { apiFetch } from '../../platform/browser/api-client.ts';

/** A project as the choice of dependencies shows it. */
export interface FoundProject {
  id: string;
  title: string;
  author: string;
  icon_url: string | null;
}

/** Most that are asked for at once; manifests name few. */
const max_ids = 50;

/** Projects by slug or id in lower case, as far as the user may see them. */
export async function projectsByIds(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, FoundProject>> {
  const found = new Map<string, FoundProject>();
  const possible = [...new Set(ids)].filter((id) => /^[\w!@$()`.+,"'-]{1,64}$/.test(id)).slice(0, max_ids);
  if (possible.length === 0) return found;
  const answer = await apiFetch('GET /v2/projects', { query: { ids: JSON.stringify(possible) }, signal });
  for (const { id, slug, title, icon_url } of answer.ok ? answer.data : []) {
    const project = { id, title, icon_url, author: '' };
    found.set(id.toLowerCase(), project);
    if (slug) found.set(slug.toLowerCase(), project);
  }
  return found;
}

/** Public projects that match; also the one of this slug or id, which need not be public. */
export async function searchProjects(query: string, signal: AbortSignal): Promise<FoundProject[] | null> {
  const [hits, named] = await Promise.all([
    apiFetch('GET /v2/search', { query: { limit: '6', query }, signal }),
    projectsByIds([query], signal),
  ]);
  if (!hits.ok) return null;
  const found = hits.data.hits.map(({ project_id: id, title, author, icon_url }) => ({
    id,
    title,
    author,
    icon_url,
  }));
  const all = [...named.values(), ...found];
  return all.filter(({ id }, place) => all.findIndex((one) => one.id === id) === place);
}

/** The newest versions of a project. */
export async function versionsOf(
  project_id: string,
): Promise<Array<Pick<Version, 'id' | 'version_number' | 'name'>>> {
  const answer = await apiFetch('GET /v2/project/{id}/version', {
    path: { id: project_id },
    query: { limit: '100', include_changelog: 'false' },
  });
  return answer.ok ? answer.data : [];
}
