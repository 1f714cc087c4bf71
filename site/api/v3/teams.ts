import { z } from 'zod';
import { membersByTeam, membersOf } from '#db/catalogue/members/read.ts';
import { findOrganization } from '#db/catalogue/organizations/read.ts';
import { findProjectRow } from '#db/catalogue/projects/read.ts';
import { Refused } from '#db/platform/errors.ts';
import { idShape } from '#db/platform/shape.ts';
import { projectParams } from '../../catalogue/project-settings/project-edit.server.ts';
import { jsonText, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { teamEditRoutes } from '../team-edits.ts';
import { memberV3, memberV3Shape } from './member-shape.ts';
import { organizationV3, organizationV3Shape } from './organization-shape.ts';

/** Teams with v3 shapes. Source: api-v3 §3.1, §3.9. */
export function teamRoutesV3(api: Api): void {
  teamEditRoutes(api);
  teams(api);
  ofProject(api);
}

function teams(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/team/{id}/members',
    summary: 'The members of a team',
    tag: 'teams',
    reads: ['PROJECT_READ'],
    params: z.object({ id: idShape }),
    answer: z.array(memberV3Shape),
    handle: async ({ services, params, actor }) =>
      (await membersOf(services, [params.id], actor, { alone: true })).map(memberV3),
  });

  publicRoute(api, {
    method: 'get',
    path: '/teams',
    summary: 'The members of several teams, one list for each team that has any',
    tag: 'teams',
    reads: ['PROJECT_READ'],
    query: z.object({ ids: jsonText(z.array(idShape).max(3000)) }),
    answer: z.array(z.array(memberV3Shape)),
    handle: async ({ services, query, actor }) => {
      const lists = await membersByTeam(services, query.ids, actor);
      return lists.map((members) => members.map(memberV3));
    },
  });
}

function ofProject(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/project/{id}/members',
    summary: "The members of a project's team, without those of its organization",
    tag: 'teams',
    reads: ['PROJECT_READ'],
    params: projectParams,
    answer: z.array(memberV3Shape),
    handle: async ({ sql, services, params, actor }) => {
      const project = await findProjectRow(sql, params.id, actor);
      if (!project) throw new Refused('not_found');
      return (await membersOf(services, [project.team], actor, { alone: true })).map(memberV3);
    },
  });

  publicRoute(api, {
    method: 'get',
    path: '/project/{id}/organization',
    summary: 'The organization that owns a project; 400 without such a project, 404 without an organization',
    tag: 'organizations',
    reads: ['PROJECT_READ', 'ORGANIZATION_READ'],
    params: projectParams,
    answer: organizationV3Shape,
    handle: async ({ sql, services, params, actor }) => {
      const project = await findProjectRow(sql, params.id, actor);
      if (!project) throw new Refused('project_unknown');
      const organization =
        project.organization && (await findOrganization(services, project.organization, actor));
      if (!organization) throw new Refused('not_found');
      return await organizationV3(services, organization, actor);
    },
  });
}
