import { z } from 'zod';
import { disclosuresOf } from '#db/disclosures/read.ts';
import { disclosureShape, editShape } from '#db/disclosures/shape.ts';
import { editDisclosures } from '#db/disclosures/write.ts';
import { Refused } from '#db/errors.ts';
import { notFoundReason, projectRef, visibleProjects } from '#db/projects/read.ts';
import { projectParams } from '../project-edit.ts';
import { authenticatedRoute, publicRoute } from '../route/endpoint.ts';
import type { Api } from '../route/types.ts';

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
      const project = await projectRef(sql, params.id);
      const [visible] = project ? await visibleProjects(sql, [project], actor) : [];
      if (!visible) throw await notFoundReason(sql, params.id);
      return await disclosuresOf(sql, visible.id, actor);
    },
  });

  authenticatedRoute(api, {
    ...one,
    method: 'patch',
    summary: 'Set and remove disclosures of a project',
    needs: ['PROJECT_WRITE'],
    body: editShape,
    handle: async ({ sql, params, body, actor, begin, now }) => {
      const project = await projectRef(sql, params.id);
      if (!project) throw new Refused('not_found');
      await begin(async (tx) => await editDisclosures(tx, actor, project.id, { ...body, now }));
      return undefined;
    },
  });
}
