import type { MemberProject } from '#db/catalogue/projects/of-member.ts';
import { type Status, statuses } from '#db/catalogue/projects/rules.ts';
import { type ListState, matchesText, parseList } from '../../platform/lists/list-query.ts';
import { projectTypes, typeOfProject } from '../../platform/paths/project-types.ts';

export const projectSorts = ['updated', 'name', 'downloads', 'followers', 'status'] as const;
export type ProjectSort = (typeof projectSorts)[number];

/** The value of the filter by organization for projects of one's own. */
export const own_filter = 'own';
export const projects_per_page = 50;

/** The query of the list of one's projects; null where nothing is filtered. */
export interface OwnProjectsState extends ListState<ProjectSort> {
  status: Status | null;
  type: string | null;
  /** The slug of an organization, or `own`. */
  owner: string | null;
}

/** Parses a query; invalid values count as absent. */
export function parseOwnProjects(query: URLSearchParams): OwnProjectsState {
  const owner = query.get('owner') ?? '';
  return {
    ...parseList(query, projectSorts),
    status: statuses.find((one) => one === query.get('status')) ?? null,
    type: projectTypes.find(({ type }) => type === query.get('type'))?.type ?? null,
    owner: /^[\w.-]{1,64}$/.test(owner) ? owner : null,
  };
}

/** The query of a state, with `{page}` as the page when `page` is 0. */
export function ownProjectsQuery({ text, sort, page, status, type, owner }: OwnProjectsState): string {
  const query = new URLSearchParams();
  if (text !== '') query.set('q', text);
  if (status) query.set('status', status);
  if (type) query.set('type', type);
  if (owner) query.set('owner', owner);
  if (sort !== 'updated') query.set('s', sort);
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? '' : `?${query}`;
}

const by: Record<ProjectSort, (a: MemberProject, b: MemberProject) => number> = {
  updated: (a, b) => Date.parse(b.updated) - Date.parse(a.updated),
  name: (a, b) => a.title.localeCompare(b.title),
  downloads: (a, b) => b.downloads - a.downloads,
  followers: (a, b) => b.followers - a.followers,
  status: (a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status),
};

/** The projects that match, sorted; ties keep the order given. */
export const filterOwnProjects = (
  projects: readonly MemberProject[],
  { text, sort, status, type, owner }: OwnProjectsState,
): MemberProject[] =>
  projects
    .filter(
      (project) =>
        (!status || project.status === status) &&
        (!type || pageTypeOf(project) === type) &&
        (!owner || (project.organization?.slug ?? own_filter) === owner) &&
        matchesText([project.title, project.slug, project.id, project.organization?.name], text),
    )
    .sort(by[sort]);

/** The type of a project in the dashboard: that of its address. */
export function pageTypeOf(
  project: Pick<MemberProject, 'project_type' | 'project_types' | 'loaders'>,
): string {
  return typeOfProject(project).type;
}
