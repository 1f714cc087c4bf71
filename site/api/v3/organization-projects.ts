import { z } from 'zod';
import { addProject, removeProject } from '#db/catalogue/organizations/project-moves.ts';
import { allProjectsOfUser, projectsOfOrganization } from '#db/catalogue/organizations/projects.ts';
import { visibleOrganizations } from '#db/catalogue/organizations/read.ts';
import { rowsInOrder } from '#db/catalogue/projects/pages.ts';
import { findProjectRow } from '#db/catalogue/projects/read.ts';
import { type ProjectRow, projectOf } from '#db/catalogue/projects/row.ts';
import { Refused } from '#db/platform/errors.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import { type Actor, readerWith } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { mapped } from '#db/platform/runtime/pages.ts';
import { idShape } from '#db/platform/shape.ts';
import type { MediaSettings } from '#db/platform/storage/url.ts';
import { authenticatedRoute, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { streamedArray, streamedFields } from '../streamed.ts';
import { existingOrganization, organizationParams as params } from './existing-organization.ts';
import { projectV3 } from './mapping.ts';
import { organizationsV3, organizationV3Shape } from './organization-shape.ts';
import { projectV3Shape } from './project-shape.ts';

const tag = 'organizations';
const toV3 = (settings: MediaSettings) => (row: ProjectRow) =>
  projectV3(projectOf(settings, row), row) as z.input<typeof projectV3Shape>;

/** The projects of organizations. Source: api-v3 §3.7, §3.9; api-behaviours §2. */
export function organizationProjectRoutes(api: Api): void {
  lists(api);
  moves(api);
}

function lists(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/organization/{id}/projects',
    summary: 'The projects of an organization, most downloaded first',
    tag,
    reads: ['PROJECT_READ', 'ORGANIZATION_READ'],
    params,
    answer: z.array(projectV3Shape),
    handle: async ({ sql, services, params, actor }) => {
      const { id } = await existingOrganization(services, params.id, actor);
      const rows = rowsInOrder(sql, await projectsOfOrganization(sql, id, actor));
      return await streamedArray(projectV3Shape, mapped(rows, toV3(services.settings)));
    },
  });

  publicRoute(api, {
    method: 'get',
    path: '/user/{id}/all-projects',
    summary: 'The projects of a user and of the organizations of that user, with those organizations by id',
    tag: 'users',
    reads: ['PROJECT_READ'],
    params,
    answer: z.object({
      projects: z.array(projectV3Shape),
      organizations: z.record(z.string(), organizationV3Shape),
    }),
    handle: async ({ sql, services, params, actor }) => {
      const user = await userByIdOrName(services, params.id);
      if (!user) throw new Refused('not_found');
      const refs = await allProjectsOfUser(sql, user.id, actor);
      const ids = [...new Set(refs.flatMap(({ organization }) => organization ?? []))];
      const viewer = readerWith(actor, 'ORGANIZATION_READ');
      const owning = await visibleOrganizations(services, ids, viewer);
      const organizations = await organizationsV3(services, owning, viewer);
      const rows = rowsInOrder(sql, refs);
      return await streamedFields({
        projects: { shape: projectV3Shape, items: mapped(rows, toV3(services.settings)) },
        organizations: {
          shape: z.record(z.string(), organizationV3Shape),
          value: Object.fromEntries(organizations.map((one) => [one.id, one])),
        },
      });
    },
  });
}

function moves(api: Api): void {
  const common = {
    tag,
    needs: ['PROJECT_WRITE', 'ORGANIZATION_WRITE'] as const,
    empty_status: 200 as const,
  };

  authenticatedRoute(api, {
    ...common,
    method: 'post',
    path: '/organization/{id}/projects',
    summary: 'Give a project to an organization',
    params,
    body: z.object({ project_id: z.string().max(100) }),
    handle: async ({ sql, services, params, body, actor, begin }) => {
      const { id: organization_id } = await existingOrganization(services, params.id, actor);
      const project_id = await projectIdOf(sql, body.project_id, actor);
      await begin(async (tx) => await addProject(tx, actor, { organization_id, project_id }));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    ...common,
    method: 'delete',
    path: '/organization/{id}/projects/{project_id}',
    summary: 'Take a project out of an organization for a member, who becomes its owner',
    params: params.extend({ project_id: z.string() }),
    body: z.object({ new_owner: idShape }),
    handle: async ({ sql, services, params, body: { new_owner }, actor, begin }) => {
      const { id: organization_id } = await existingOrganization(services, params.id, actor);
      const project_id = await projectIdOf(sql, params.project_id, actor);
      await begin(async (tx) => await removeProject(tx, actor, { organization_id, project_id, new_owner }));
      return undefined;
    },
  });
}

/** The id of the project with this id or slug that the actor may see. Refuses `project_unknown`. */
async function projectIdOf(sql: Db, idOrSlug: string, actor: Actor): Promise<string> {
  const project = await findProjectRow(sql, idOrSlug, actor);
  if (!project) throw new Refused('project_unknown');
  return project.id;
}
