import { z } from 'zod';
import { projectRef, projectsByIds } from '#db/catalogue/projects/read.ts';
import { projectShape } from '#db/catalogue/projects/shape.ts';
import { whyNotReview } from '#db/catalogue/review-locks/rules.ts';
import { threadsByIds } from '#db/messages/threads/read.ts';
import { threadShape } from '#db/messages/threads/shape.ts';
import {
  byProject,
  judgedCode,
  placesOfCode,
  reportsOf,
  withoutVersion,
} from '#db/moderation/technical-review/read.ts';
import { ownersOf, searchReviews } from '#db/moderation/technical-review/review-list.ts';
import * as shape from '#db/moderation/technical-review/shape.ts';
import { reportFile, submitReview } from '#db/moderation/technical-review/submit.ts';
import { decideEverywhere, decideTraces } from '#db/moderation/technical-review/verdicts.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { announcingOf } from '../../moderation/technical-review/announcing.ts';
import type { AppServices } from '../../platform/context.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

const tag = 'moderation';
const base = '/moderation/tech-review';

/** Technical review, for moderators. Source: api-v3 §5. */
export function technicalReviewRoutes(api: Api): void {
  searchRoute(api);
  readRoutes(api);
  decisionRoutes(api);
  codeRoutes(api);
}

const ownerShape = z.object({
  kind: z.enum(['user', 'organization']),
  id: z.string(),
  name: z.string(),
  icon_url: z.string().nullable(),
});

function searchRoute(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: `${base}/search`,
    summary: 'Projects that wait for technical review, with what was found in their files',
    tag,
    needs: ['PROJECT_READ'],
    body: shape.searchShape,
    answer: z.object({
      project_reports: z.array(shape.projectReportShape),
      projects: z.record(z.string(), projectShape),
      threads: z.record(z.string(), threadShape),
      ownership: z.record(z.string(), ownerShape),
    }),
    handle: async ({ sql, services, body, actor }) => {
      assertAllowed(whyNotReview(actor));
      const { ids } = await searchReviews(sql, body);
      const [reports, projects, ownership] = await Promise.all([
        reportsOf(services, { projects: ids, open: true }),
        projectsByIds(services, ids, actor),
        ownersOf(services, ids),
      ]);
      const threads = await threadsByIds(
        services,
        projects.map(({ thread_id }) => thread_id),
        actor,
      );
      return {
        project_reports: byProject(reports, ids),
        projects: Object.fromEntries(projects.map((project) => [project.id, project])),
        threads: Object.fromEntries(threads.map((thread) => [thread.id, thread])),
        ownership,
      };
    },
  });
}

function readRoutes(api: Api): void {
  const params = z.object({ id: z.string() });
  authenticatedRoute(api, {
    method: 'get',
    path: `${base}/project/{id}`,
    summary: 'What was found in the files of a project',
    tag,
    needs: ['PROJECT_READ'],
    params,
    answer: z.array(shape.fileReportShape),
    handle: async ({ sql, services, params: { id }, actor }) => {
      assertAllowed(whyNotReview(actor));
      const project = await projectRef(sql, id);
      if (!project) throw new Refused('not_found');
      return (await reportsOf(services, { projects: [project.id] })).map(withoutVersion);
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: `${base}/report/{id}`,
    summary: 'What was found in a file',
    tag,
    needs: ['PROJECT_READ'],
    params,
    answer: shape.fileReportShape,
    handle: async ({ services, params: { id }, actor }) => {
      assertAllowed(whyNotReview(actor));
      const [report] = await reportsOf(services, { report: id });
      if (!report) throw new Refused('not_found');
      return withoutVersion(report);
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: `${base}/issue/{id}`,
    summary: 'One kind of trace in a file, with its places',
    tag,
    needs: ['PROJECT_READ'],
    params,
    answer: shape.issueShape,
    handle: async ({ services, params: { id }, actor }) => {
      assertAllowed(whyNotReview(actor));
      const [report] = await reportsOf(services, { issue: id });
      const issue = report?.issues.find((one) => one.id === id);
      if (!issue) throw new Refused('not_found');
      return issue;
    },
  });
}

function decisionRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'patch',
    path: `${base}/issue-detail`,
    summary: 'Decide about traces; `pending` takes a decision back',
    tag,
    needs: ['PROJECT_WRITE'],
    body: shape.decisionsShape,
    handle: async ({ services, body, actor, begin, now }) => {
      await begin((tx) => decideTraces(tx, actor, body, { announcing: announcingOf(services), now }));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: `${base}/submit/{project}`,
    summary: 'End the technical review of a project',
    tag,
    needs: ['PROJECT_WRITE'],
    params: z.object({ project: z.string() }),
    body: shape.submitShape,
    handle: async ({ sql, services, params: { project: name }, body, actor, begin, now }) => {
      const id = await projectIdFor(sql, name, actor);
      const submission = { verdict: body.verdict, message: body.message ?? '' };
      await begin((tx) =>
        submitReview(tx, actor, id, { ...submission, announcing: announcingOf(services), now }),
      );
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'put',
    path: `${base}/report`,
    summary: 'Report a file by hand',
    tag,
    needs: ['PROJECT_WRITE'],
    body: shape.manualShape,
    answer: z.object({ report_id: z.string() }),
    handle: async ({ services, body, actor, begin, now }) => ({
      report_id: await begin((tx) =>
        reportFile(tx, actor, body, { announcing: announcingOf(services), now }),
      ),
    }),
  });
}

async function projectIdFor(sql: AppServices['sql'], name: string, actor: Actor): Promise<string> {
  assertAllowed(whyNotReview(actor));
  const project = await projectRef(sql, name);
  if (!project) throw new Refused('not_found');
  return project.id;
}

function codeRoutes(api: Api): void {
  const path = `${base}/global-issue-detail`;
  authenticatedRoute(api, {
    method: 'post',
    path,
    summary: 'Decide about the same code everywhere; `pending` takes a decision back',
    tag,
    needs: ['PROJECT_WRITE'],
    body: shape.everywhereShape,
    handle: async ({ services, body, actor, begin, now }) => {
      await begin((tx) => decideEverywhere(tx, actor, body, { announcing: announcingOf(services), now }));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: `${path}/search`,
    summary: 'Code about which somebody decided everywhere',
    tag,
    needs: ['PROJECT_READ'],
    body: shape.codeSearchShape,
    answer: z.object({ total: z.int(), traces: z.array(shape.codeShape) }),
    handle: async ({ sql, body, actor }) => {
      assertAllowed(whyNotReview(actor));
      return await judgedCode(sql, body);
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: `${path}/local-traces`,
    summary: 'Where the same code was found',
    tag,
    needs: ['PROJECT_READ'],
    body: z.object({ detail_key: shape.keyShape }),
    answer: z.array(shape.placeShape),
    handle: async ({ sql, body: { detail_key }, actor }) => {
      assertAllowed(whyNotReview(actor));
      return await placesOfCode(sql, detail_key);
    },
  });
}
