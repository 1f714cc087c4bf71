import { z } from 'zod';
import { disclosuresOf } from '#db/catalogue/disclosures/read.ts';
import { disclosureShape, editShape } from '#db/catalogue/disclosures/shape.ts';
import { editDisclosures } from '#db/catalogue/disclosures/write.ts';
import { projectForAction } from '#db/catalogue/projects/for-action.ts';
import { findProjectRow, notFoundReason } from '#db/catalogue/projects/read.ts';
import { projectParams } from '../../catalogue/project-settings/project-edit.server.ts';
import { authenticatedRoute, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

/** What a project discloses. Source: api-v3 §2.7, §3.1. */
export function disclosureRoutes(api: Api): void {
  const one = { path: '/project/{id}/disclosures', tag: 'projects', params: projectParams };
  publicRoute(api, {
    ...one,
    method: 'get',
    summary: 'What a project discloses; members also see removed disclosures',
    reads: ['PROJECT_READ'],
    answer: z.array(disclosureShape),
    handle: async ({ sql, params, actor }) => {
      const project = await findProjectRow(sql, params.id, actor);
      if (!project) throw await notFoundReason(sql, params.id);
      return await disclosuresOf(sql, project.id, actor);
    },
  });

  authenticatedRoute(api, {
    ...one,
    method: 'patch',
    summary: 'Set and remove disclosures of a project',
    needs: ['PROJECT_WRITE'],
    body: editShape,
    handle: async ({ sql, params, body, actor, begin, now }) => {
      const project = await projectForAction(sql, params.id, actor);
      await begin(async (tx) => await editDisclosures(tx, actor, project.id, { ...body, now }));
      return undefined;
    },
  });
}
