import { z } from 'zod';
import { setProjectIcon } from '#db/catalogue/projects/icon.ts';
import { limits } from '#db/catalogue/projects/limits.ts';
import { processIcon } from '#db/platform/files/image.ts';
import { editableProject, projectParams } from '../catalogue/project-settings/project-edit.server.ts';
import { authenticatedRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';
import { receiveImage } from '../platform/upload/upload.ts';

/**
 * A project's icon, the same in both versions. A missing project is 400 here (api-behaviours §17 no. 11). Source: api-v2 §4, §1.8;
 * api-v3 §3.1.
 */
export function iconRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'patch',
    path: '/project/{id}/icon',
    summary: 'Set a project icon of at most 256 KiB',
    tag: 'projects',
    needs: ['PROJECT_WRITE'],
    params: projectParams,
    query: z.object({ ext: z.string().optional() }),
    raw: ['image/png', 'image/jpeg', 'image/bmp', 'image/gif', 'image/webp'],
    handle: async ({ sql, services, params, query, request, actor, begin, now }) => {
      const project_id = await editableProject(sql, params.id, actor);
      const bytes = await receiveImage(request, services, limits.icon_bytes, query.ext);
      const icon = await processIcon(bytes, query.ext ?? '');
      await setProjectIcon(begin, services.storage, { actor, project_id, now }, icon);
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/project/{id}/icon',
    summary: "Remove a project's icon and colour",
    tag: 'projects',
    needs: ['PROJECT_WRITE'],
    params: projectParams,
    handle: async ({ sql, services, params, actor, begin, now }) => {
      const project_id = await editableProject(sql, params.id, actor);
      await setProjectIcon(begin, services.storage, { actor, project_id, now }, null);
      return undefined;
    },
  });
}
