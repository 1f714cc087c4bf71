import { z } from 'zod';
import { findReport, openReports, reportsByIds } from '#db/moderation/reports/read.ts';
import { createShape, editShape, limits, reportShape } from '#db/moderation/reports/shape.ts';
import { createReport, editReport, removeReport } from '#db/moderation/reports/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { idShape } from '#db/platform/shape.ts';
import { authenticatedRoute, jsonText } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';

const params = z.object({ id: idShape });
const tag = 'reports';

/** Reports of projects, versions and users, the same in v2 and v3. Source: api-v2 §10; api-behaviours §8. */
export function reportRoutes(api: Api, _version: 2 | 3): void {
  reads(api);
  writes(api);
}

function reads(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/report',
    summary: 'Open reports of the caller, oldest first; `all` gives moderators those of everyone',
    tag,
    needs: ['REPORT_READ'],
    query: z.object({
      count: z.coerce.number().int().min(0).max(65_535).optional(),
      all: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional(),
    }),
    answer: z.array(reportShape),
    handle: async ({ sql, query: { count, all }, actor }) =>
      await openReports(sql, actor, { count: count ?? limits.listed, all: all ?? false }),
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/report/{id}',
    summary: 'A report, for its reporter and moderators',
    tag,
    needs: ['REPORT_READ'],
    params,
    answer: reportShape,
    handle: async ({ sql, params: { id }, actor }) => {
      const report = await findReport(sql, id, actor);
      if (!report) throw new Refused('not_found');
      return report;
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/reports',
    summary: 'Reports by ids; unknown and hidden ones are left out',
    tag,
    needs: ['REPORT_READ'],
    query: z.object({ ids: jsonText(z.array(idShape).max(limits.ids)) }),
    answer: z.array(reportShape),
    handle: async ({ sql, query, actor }) => await reportsByIds(sql, query.ids, actor),
  });
}

function writes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/report',
    summary: 'Report a project, version or user',
    tag,
    needs: ['REPORT_CREATE'],
    body: createShape,
    answer: reportShape,
    handle: async ({ body, actor, begin, now }) =>
      await begin(async (tx) => {
        const id = await createReport(tx, actor, body, now);
        return (await findReport(tx, id, actor))!;
      }),
  });

  authenticatedRoute(api, {
    method: 'patch',
    path: '/report/{id}',
    summary:
      'Change the text of a report, for its reporter and moderators; moderators also close and reopen it',
    tag,
    needs: ['REPORT_WRITE'],
    params,
    body: editShape,
    handle: async ({ params: { id }, body, actor, begin, now }) => {
      await begin(async (tx) => await editReport(tx, actor, id, body, now));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/report/{id}',
    summary: 'Delete a report with its thread, as a moderator',
    tag,
    needs: ['REPORT_DELETE'],
    params,
    handle: async ({ params: { id }, actor, begin }) => {
      await begin(async (tx) => await removeReport(tx, actor, id));
      return undefined;
    },
  });
}
