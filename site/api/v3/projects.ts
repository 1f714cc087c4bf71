import { z } from 'zod';
import { listRows } from '#db/catalogue/projects/pages.ts';
import * as projects from '#db/catalogue/projects/read.ts';
import { mapped } from '#db/platform/runtime/pages.ts';
import {
  checkRoute,
  etagOf,
  patchProject,
  projectParams,
} from '../../catalogue/project-settings/project-edit.server.ts';
import { projectsByName } from '../../platform/ready-answers/record-kinds.ts';
import type { Records } from '../../platform/ready-answers/records.ts';
import { authenticatedRoute, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { followRoutes } from '../follow.ts';
import { iconRoutes } from '../project-icon.ts';
import { streamedArray } from '../streamed.ts';
import { editV3Shape, projectRowV3, projectV3Shape } from './project-shape.ts';

const params = projectParams;
const tag = 'projects';

/** Projects with v3 names. Source: api-v3 §3.1. */
export function projectRoutesV3(api: Api, records: Records | null): void {
  const byName = projectsByName('v3', projectRowV3);
  records?.offer('GET /v3/projects', byName);
  publicRoute(api, {
    method: 'get',
    path: '/project/{id}',
    summary: 'A project by id or slug',
    tag,
    reads: ['PROJECT_READ'],
    params,
    answer: projectV3Shape,
    handle: async ({ sql, services, params, actor, header }) => {
      const row = await projects.findProjectRow(sql, params.id, actor);
      if (!row) throw await projects.notFoundReason(sql, params.id);
      header('etag', etagOf(row.revision));
      return projectRowV3(services.settings, row);
    },
  });

  publicRoute(api, {
    method: 'get',
    path: '/projects',
    summary: 'Projects by ids or slugs; unknown and hidden ones are left out',
    tag,
    reads: ['PROJECT_READ'],
    query: byName.shape,
    answer: z.array(projectV3Shape),
    handle: async ({ sql, services: { settings }, query, actor }) => {
      const ready = actor ? null : await records?.answer(byName.ask(query));
      if (ready) return ready;
      return await streamedArray(
        projectV3Shape,
        mapped(await listRows(sql, query.ids, actor), (row) => projectRowV3(settings, row)),
      );
    },
  });

  checkRoute(api);
  iconRoutes(api);
  followRoutes(api, z.array(projectV3Shape), projectRowV3);

  authenticatedRoute(api, {
    method: 'patch',
    path: '/project/{id}',
    summary: 'Edit a project; absent fields keep their values',
    tag,
    needs: ['PROJECT_WRITE'],
    params,
    body: editV3Shape,
    handle: async (call) => await patchProject(call, call.body, 3),
  });
}
