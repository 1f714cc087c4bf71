import { z } from 'zod';
import { reviewWords } from '#content/technical-review.ts';
import { externalProjects, type PackFile, packFilesOf } from '#db/catalogue/external-files/read.ts';
import * as shape from '#db/catalogue/external-files/shape.ts';
import { judgeFiles, linkFiles } from '#db/catalogue/external-files/write.ts';
import { projectRef } from '#db/catalogue/projects/read.ts';
import { whyNotReview } from '#db/catalogue/review-locks/rules.ts';
import { settleProjectsWith } from '#db/moderation/attribution/write.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { editWork } from '../../moderation/technical-review/edit-work.server.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

const tag = 'moderation';
const words = reviewWords.attribution;
const base = '/moderation/external-license';
const list = z.array(shape.externalProjectShape);

/** What modpacks contain from elsewhere, and what staff know about it. Source: api-v3 §5. */
export function externalFileRoutes(api: Api): void {
  packRoutes(api);
  findRoutes(api);
  linkRoutes(api);
}

function packRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/moderation/project/{id}',
    summary: 'Files of a modpack that this site does not host, and what is known about them',
    tag,
    needs: ['PROJECT_READ'],
    params: z.object({ id: z.string() }),
    answer: shape.packShape,
    handle: async ({ sql, params: { id }, actor }) => {
      assertAllowed(whyNotReview(actor));
      const project = await projectRef(sql, id);
      if (!project) throw new Refused('not_found');
      const files = await packFilesOf(sql, project.id);
      return byKnowledge(files);
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/moderation/project',
    summary: 'Say whether modpacks may contain files, for this pack and every later one',
    tag,
    needs: ['PROJECT_WRITE'],
    body: shape.judgementsShape,
    handle: async ({ body, actor, begin, now }) => {
      const judgements = new Map(Object.entries(body).map(([sha1, one]) => [sha1.toLowerCase(), one]));
      await begin(async (tx) => {
        await judgeFiles(tx, actor, judgements, now);
        await settleProjectsWith(tx, actor, [...judgements.keys()], { now, words });
      });
      return undefined;
    },
  });
}

/** Files by what is known of them: a decision, the work at another site that they belong to, or nothing. */
function byKnowledge(files: readonly PackFile[]): z.output<typeof shape.packShape> {
  const answer: z.output<typeof shape.packShape> = { identified: {}, flame_files: {}, unknown_files: {} };
  for (const { sha1, name, permission, flame_id, title, link } of files) {
    const isDecided = permission !== null && permission !== 'unidentified';
    if (flame_id !== null && !isDecided)
      answer.flame_files[sha1] = { title: title ?? name, file_name: name, url: link ?? '', id: flame_id };
    else if (permission) answer.identified[sha1] = { file_name: name, status: permission };
    else answer.unknown_files[sha1] = name;
  }
  return answer;
}

function findRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: `${base}/search`,
    summary: 'Find works from elsewhere by title or ID of another site',
    tag,
    needs: ['PROJECT_READ'],
    body: shape.searchShape,
    answer: list,
    handle: async ({ sql, body: { title, flame_id, flame_ids }, actor }) => {
      assertAllowed(whyNotReview(actor));
      return await externalProjects(sql, {
        title,
        flame_ids: [...(flame_ids ?? []), ...(flame_id ? [flame_id] : [])],
      });
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: `${base}/lookup`,
    summary: 'Works from elsewhere by the IDs of another site and the hashes of files',
    tag,
    needs: ['PROJECT_READ'],
    body: shape.lookupShape,
    answer: list,
    handle: async ({ sql, body, actor }) => {
      assertAllowed(whyNotReview(actor));
      return await externalProjects(sql, body);
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: `${base}/by-sha1/{sha1}`,
    summary: 'The work that a file belongs to',
    tag,
    needs: ['PROJECT_READ'],
    params: z.object({ sha1: shape.sha1Shape }),
    answer: shape.externalProjectShape,
    handle: async ({ sql, params: { sha1 }, actor }) => {
      assertAllowed(whyNotReview(actor));
      const [found] = await externalProjects(sql, { hashes: [sha1] });
      if (!found) throw new Refused('not_found');
      return found;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: `${base}/by-sha1`,
    summary: 'The works that files belong to, by hash',
    tag,
    needs: ['PROJECT_READ'],
    body: shape.sentHashesShape,
    answer: z.record(z.string(), shape.externalProjectShape),
    handle: async ({ sql, body: { hashes }, actor }) => {
      assertAllowed(whyNotReview(actor));
      const sent = Map.groupBy(new Set(hashes), (hash) => hash.toLowerCase());
      const found = await externalProjects(sql, { hashes: [...sent.keys()] });
      return Object.fromEntries(
        found.flatMap((work) =>
          work.linked_files.flatMap(({ sha1 }) => (sent.get(sha1) ?? []).map((hash) => [hash, work])),
        ),
      );
    },
  });
}

function linkRoutes(api: Api): void {
  for (const [path, summary, moves] of [
    [`${base}/file`, 'Say of which work files are, unless somebody has', false],
    [`${base}/file/reassign`, 'Move files to another work', true],
  ] as const)
    authenticatedRoute(api, {
      method: 'post',
      path,
      summary,
      tag,
      needs: ['PROJECT_WRITE'],
      body: shape.linkShape,
      handle: async ({ body: { hashes, license_id }, actor, begin, now }) => {
        await begin(async (tx) => {
          await linkFiles(tx, actor, { hashes, id: license_id, moves });
          await settleProjectsWith(tx, actor, hashes, { now, words });
        });
        return undefined;
      },
    });

  authenticatedRoute(api, {
    method: 'patch',
    path: `${base}/{id}`,
    summary: 'Change a work from elsewhere',
    tag,
    needs: ['PROJECT_WRITE'],
    params: z.object({ id: z.string() }),
    body: shape.editShape,
    handle: async ({ params: { id }, body, actor, begin, now }) => {
      await begin((tx) => editWork(tx, actor, id, { edit: body, now }));
      return undefined;
    },
  });
}
