import { z } from 'zod';
import { accessToOrganization } from '#db/catalogue/organizations/access.ts';
import { setOrganizationIcon } from '#db/catalogue/organizations/icon.ts';
import { limits } from '#db/catalogue/organizations/shape.ts';
import { anonymous, whyNotActInOrganization } from '#db/catalogue/teams/rules.ts';
import { assertAllowed } from '#db/platform/errors.ts';
import { processIcon } from '#db/platform/files/image.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { receiveImage } from '../../platform/upload/upload.ts';
import { existingOrganization, organizationParams as params } from './existing-organization.ts';

/** The icon of an organization. Source: api-v3 §3.9; api-v2 §1.8. */
export function iconRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'patch',
    path: '/organization/{id}/icon',
    summary: 'Set an organization icon of at most 256 KiB',
    tag: 'organizations',
    needs: ['ORGANIZATION_WRITE'],
    params,
    query: z.object({ ext: z.string().optional() }),
    raw: ['image/png', 'image/jpeg', 'image/bmp', 'image/gif', 'image/webp'],
    handle: async ({ services, params, query, request, actor, begin, now }) => {
      const id = await editable(services, params.id, actor);
      const bytes = await receiveImage(request, services, limits.icon_bytes, query.ext);
      const icon = await processIcon(bytes, query.ext ?? '');
      await setOrganizationIcon(begin, services.storage, { actor, id, now }, icon);
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/organization/{id}/icon',
    summary: "Remove an organization's icon and colour",
    tag: 'organizations',
    needs: ['ORGANIZATION_WRITE'],
    params,
    handle: async ({ services, params, actor, begin, now }) => {
      const id = await editable(services, params.id, actor);
      await setOrganizationIcon(begin, services.storage, { actor, id, now }, null);
      return undefined;
    },
  });
}

/** Checks the rule before the image is read; the write checks it again under its lock. */
async function editable(services: ReadContext, idOrSlug: string, actor: Actor): Promise<string> {
  const { id } = await existingOrganization(services, idOrSlug, actor);
  const access = (await accessToOrganization(services.sql, id, actor)) ?? anonymous;
  assertAllowed(whyNotActInOrganization(access, 'EDIT_DETAILS'), { permission: 'EDIT_DETAILS' });
  return id;
}
