import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { projectRef } from '#db/catalogue/projects/read.ts';
import { Refused } from '#db/platform/errors.ts';
import { recordEvent } from '#db/platform/events/write.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import { publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

/** Routes for programs that run this installation; without ADMIN_KEY there are none. Source: api-v3 §7. */
export function adminRoutes(api: Api): void {
  publicRoute(api, {
    method: 'post',
    path: '/admin/_force_reindex',
    summary: 'Rebuild every search index and drop every cached page',
    tag: 'admin',
    handle: async ({ services, request, begin }) => {
      assertAdminKey(services.settings, request);
      await begin(async (tx) => await recordEvent(tx, { name: 'catalogue.loaded' }));
      return undefined;
    },
  });

  publicRoute(api, {
    method: 'post',
    path: '/admin/_force_reindex/{project}',
    summary: 'Index one project again and drop its cached pages',
    tag: 'admin',
    params: z.object({ project: z.string() }),
    handle: async ({ sql, services, params, request, begin }) => {
      assertAdminKey(services.settings, request);
      const project = await projectRef(sql, params.project);
      if (!project) throw new Refused('not_found');
      const data = { project_ids: [project.id] };
      await begin(async (tx) => await recordEvent(tx, { name: 'catalogue.loaded', data }));
      return undefined;
    },
  });
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Refuses `route_not_found` without ADMIN_KEY, and `token_invalid` unless the request has it. */
export function assertAdminKey({ ADMIN_KEY }: Pick<Settings, 'ADMIN_KEY'>, request: Request): void {
  if (!ADMIN_KEY) throw new Refused('route_not_found');
  const sent = request.headers.get('modrinth-admin') ?? '';
  if (!timingSafeEqual(hashOf(sent), hashOf(ADMIN_KEY))) throw new Refused('token_invalid');
}
