import { z } from 'zod';
import { checkedLoaders, updatePromos } from '#db/catalogue/versions/forge-updates.ts';
import { Refused } from '#db/platform/errors.ts';
import { publicRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';

/** The update check of Forge and NeoForge; a missing or hidden project is 400 here. Source: api-v2 §13. */
export function forgeUpdateRoutes(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/updates/{id}/forge_updates.json',
    summary: 'The newest and the recommended version for each game version',
    tag: 'versions',
    reads: ['PROJECT_READ', 'VERSION_READ'],
    params: z.object({ id: z.string().max(64) }),
    query: z.object({ neoforge: z.enum(['none', 'include', 'only']).default('none') }),
    answer: z.object({ homepage: z.string(), promos: z.record(z.string(), z.string()) }),
    handle: async ({ sql, services: { settings }, params: { id }, query, actor }) => {
      const promos = await updatePromos(sql, id, checkedLoaders[query.neoforge], actor).catch(unknownIf404);
      return { homepage: `${settings.SITE_URL}/mod/${encodeURIComponent(id)}`, promos };
    },
  });
}

const unknownIf404 = (error: unknown): never => {
  throw error instanceof Refused && error.status === 404 ? new Refused('project_unknown') : error;
};
