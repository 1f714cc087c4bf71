import { z } from 'zod';
import { projectForAction } from '#db/catalogue/projects/for-action.ts';
import { statuses } from '#db/catalogue/projects/rules.ts';
import { scheduleProject, scheduleVersion } from '#db/catalogue/publishing/schedule.ts';
import { settableStatuses } from '#db/catalogue/versions/rules.ts';
import { idShape } from '#db/platform/shape.ts';
import { projectParams } from '../catalogue/project-settings/project-edit.server.ts';
import { authenticatedRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
/** The public document names the statuses of projects for versions too: an approved version is a listed one. */
const versionStatus = z
  .enum([...settableStatuses, 'approved'])
  .transform((status) => (status === 'approved' ? 'listed' : status));

/** Release of a project or a version at a stored time. Source: api-behaviours §17 (13). */
export function scheduleRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/project/{id}/schedule',
    summary: 'Hide an approved project until a time, when it gets the requested status',
    tag: 'projects',
    needs: ['PROJECT_WRITE'],
    params: projectParams,
    body: z.object({ time, requested_status: z.enum(statuses) }),
    handle: async ({ sql, params, body, actor, begin, now }) => {
      const project = await projectForAction(sql, params.id, actor);
      await begin(async (tx) => await scheduleProject(tx, actor, project.id, { ...body, now }));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/version/{id}/schedule',
    summary: 'Hide a version until a time, when it gets the requested status',
    tag: 'versions',
    needs: ['VERSION_WRITE'],
    params: z.object({ id: idShape }),
    body: z.object({ time, requested_status: versionStatus }),
    handle: async ({ params, body, actor, begin, now }) => {
      await begin(async (tx) => await scheduleVersion(tx, actor, params.id, { ...body, now }));
      return undefined;
    },
  });
}
