import { z } from 'zod';
import { membersOf } from '#db/catalogue/members/read.ts';
import { organizationsOf, visibleOrganizations } from '#db/catalogue/organizations/read.ts';
import { createShape, editShape, limits } from '#db/catalogue/organizations/shape.ts';
import {
  createOrganization,
  editOrganization,
  removeOrganization,
} from '#db/catalogue/organizations/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import { authenticatedRoute, jsonText, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { existingOrganization, organizationParams } from './existing-organization.ts';
import { memberV3, memberV3Shape } from './member-shape.ts';
import { iconRoutes } from './organization-icon.ts';
import { organizationProjectRoutes } from './organization-projects.ts';
import { organizationsV3, organizationV3, organizationV3Shape } from './organization-shape.ts';

const params = organizationParams;
const tag = 'organizations';

/** Organizations: groups that own projects. Source: api-v3 §3.7, §3.9. */
export function organizationRoutes(api: Api): void {
  reads(api);
  members(api);
  writes(api);
  iconRoutes(api);
  organizationProjectRoutes(api);
}

function reads(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/organization/{id}',
    summary: 'An organization by id or slug',
    tag,
    reads: ['ORGANIZATION_READ'],
    params,
    answer: organizationV3Shape,
    handle: async ({ services, params, actor }) =>
      await organizationV3(services, await existingOrganization(services, params.id, actor), actor),
  });

  publicRoute(api, {
    method: 'get',
    path: '/organizations',
    summary: 'Organizations by ids or slugs; unknown and hidden ones are left out',
    tag,
    reads: ['ORGANIZATION_READ'],
    query: z.object({ ids: jsonText(z.array(z.string()).max(limits.ids)) }),
    answer: z.array(organizationV3Shape),
    handle: async ({ services, query, actor }) =>
      await organizationsV3(services, await visibleOrganizations(services, query.ids, actor), actor),
  });
}

function members(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/organization/{id}/members',
    summary: 'The members of an organization',
    tag,
    reads: ['ORGANIZATION_READ'],
    params,
    answer: z.array(memberV3Shape),
    handle: async ({ services, params, actor }) => {
      const { team_id } = await existingOrganization(services, params.id, actor);
      return (await membersOf(services, [team_id], actor, { alone: true })).map(memberV3);
    },
  });

  publicRoute(api, {
    method: 'get',
    path: '/user/{id}/organizations',
    summary: 'The organizations of a user, by name',
    tag,
    reads: ['ORGANIZATION_READ'],
    params,
    answer: z.array(organizationV3Shape),
    handle: async ({ services, params, actor }) => {
      const user = await userByIdOrName(services, params.id);
      if (!user) throw new Refused('not_found');
      return await organizationsV3(services, await organizationsOf(services, user.id, actor), actor);
    },
  });
}

function writes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/organization',
    summary: 'Create an organization',
    tag,
    create_errors: true,
    needs: ['ORGANIZATION_CREATE'],
    body: createShape,
    answer: organizationV3Shape,
    handle: async ({ services, body, actor, begin }) =>
      await begin(async (tx) => {
        const context = { ...services, sql: tx };
        const id = await createOrganization(tx, actor, body);
        return await organizationV3(context, await existingOrganization(context, id, actor), actor);
      }),
  });

  authenticatedRoute(api, {
    method: 'patch',
    path: '/organization/{id}',
    summary: 'Edit an organization; absent fields keep their values',
    tag,
    needs: ['ORGANIZATION_WRITE'],
    params,
    body: editShape,
    handle: async ({ services, params, body, actor, begin }) => {
      const { id } = await existingOrganization(services, params.id, actor);
      await begin(async (tx) => await editOrganization(tx, actor, id, body));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/organization/{id}',
    summary: 'Delete an organization; its projects pass to its owner',
    tag,
    needs: ['ORGANIZATION_DELETE'],
    params,
    handle: async ({ services, params, actor, begin }) => {
      const { id } = await existingOrganization(services, params.id, actor);
      const prefix = await begin(async (tx) => await removeOrganization(tx, actor, id));
      await services.storage.removeAll(prefix).catch((err: unknown) => {
        services.log.warn(
          { err, organization_id: id },
          'The icon of a deleted organization could not be removed; the next garbage collection removes it',
        );
      });
      return undefined;
    },
  });
}
