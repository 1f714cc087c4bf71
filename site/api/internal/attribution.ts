import { z } from 'zod';
import { projectForAction } from '#db/catalogue/projects/for-action.ts';
import { whyNotReview } from '#db/catalogue/review-locks/rules.ts';
import { enqueueAgain } from '#db/catalogue/scans/enqueue.ts';
import { attributionGroups } from '#db/moderation/attribution/read.ts';
import { whyNotAttribute } from '#db/moderation/attribution/rules.ts';
import * as shape from '#db/moderation/attribution/shape.ts';
import { answerGroup, deleteGroups, moveFile, scanVersions } from '#db/moderation/attribution/write.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { isModerator } from '#db/platform/people/rules.ts';
import { idShape } from '#db/platform/shape.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

const tag = 'moderation';

/** What teams say about files from elsewhere in their modpacks. Source: api-v3 §5.1. */
export function attributionRoutes(api: Api): void {
  scanRoutes(api);
  groupRoutes(api);
  moveRoutes(api);
}

function scanRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/attribution/scan',
    summary: 'Read the modpacks of versions again',
    tag,
    needs: ['VERSION_WRITE'],
    body: shape.scanShape,
    answer: z.object({ queued_files: z.int() }),
    handle: async ({ body, actor, begin, now }) => ({
      queued_files: await begin((tx) => scanVersions(tx, actor, body.version_ids, { now })),
    }),
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/attribution/file/{id}/scan',
    summary: 'Read one file again',
    tag,
    needs: ['VERSION_WRITE'],
    params: z.object({ id: z.string() }),
    answer: z.object({ file_id: z.string(), queued: z.boolean() }),
    handle: async ({ params: { id }, actor, begin, now }) => {
      assertAllowed(whyNotReview(actor));
      if (!(await begin((tx) => enqueueAgain(tx, id, now)))) throw new Refused('not_found');
      return { file_id: id, queued: true };
    },
  });
}

function groupRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/attribution/{project}',
    summary: 'Files of a modpack that come from elsewhere, and what its team says about them',
    tag,
    needs: ['VERSION_READ'],
    params: z.object({ project: z.string() }),
    answer: z.array(shape.groupShape),
    handle: async ({ sql, params: { project: name }, actor }) => {
      const project = await projectForAction(sql, name, actor);
      if (whyNotAttribute(project.access) !== null) throw new Refused('not_found');
      return await attributionGroups(sql, project.id, { moderates: isModerator(actor) });
    },
  });

  authenticatedRoute(api, {
    method: 'patch',
    path: '/attribution/group/{id}',
    summary: 'Say what allows a modpack to contain files',
    tag,
    needs: ['VERSION_WRITE'],
    params: z.object({ id: z.string() }),
    body: shape.editShape,
    handle: async ({ params: { id }, body: { attribution }, actor, begin, now }) => {
      await begin((tx) => answerGroup(tx, actor, id, attribution, { now }));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/attribution/group',
    summary: 'Delete groups: their files are asked about again',
    tag,
    needs: ['VERSION_WRITE'],
    body: shape.deleteShape,
    handle: async ({ body, actor, begin, now }) => {
      await begin((tx) => deleteGroups(tx, actor, body, { now }));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/attribution/all-groups',
    summary: 'Delete all groups of a project',
    tag,
    needs: ['VERSION_WRITE'],
    body: z.object({ project_id: idShape }),
    handle: async ({ body, actor, begin, now }) => {
      await begin((tx) => deleteGroups(tx, actor, body, { now }));
      return undefined;
    },
  });
}

function moveRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/attribution/assign',
    summary: 'Move a file into another group',
    tag,
    needs: ['VERSION_WRITE'],
    body: shape.assignShape,
    handle: async ({ body, actor, begin, now }) => {
      await begin((tx) => moveFile(tx, actor, body, { now }));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/attribution/split',
    summary: 'Move a file into a group of its own',
    tag,
    needs: ['VERSION_WRITE'],
    body: shape.splitShape,
    handle: async ({ body, actor, begin, now }) => {
      await begin((tx) => moveFile(tx, actor, { ...body, target_group_id: null }, { now }));
      return undefined;
    },
  });
}
