import { z } from 'zod';
import { reportTypes } from '#db/catalogue/tags/rules.ts';
import { openReportOn } from '#db/moderation/reports/read.ts';
import { reportItems, reportOutcomes, whyNotListReports } from '#db/moderation/reports/rules.ts';
import { limits } from '#db/moderation/reports/shape.ts';
import { createReport, decideReport } from '#db/moderation/reports/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { idShape, nonBlankText } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import { bytesOfText, formRoute, withQuery } from '../../platform/route/form.ts';
import { privateJson } from '../../platform/route/private-json.ts';
import type { Api } from '../../platform/route/types.ts';
import { reportedItem } from './reported-item.server.ts';

const item = z.string().trim().min(1).max(300);

export const reportForm = defineForm({
  action: '/_internal/reports/create',
  shape: z.object({
    item_type: z.enum(reportItems),
    item,
    report_type: z.enum(reportTypes),
    // text areas send line ends of two characters
    body: z
      .string()
      .transform((text) => text.replace(/\r\n?/g, '\n').trimEnd())
      .pipe(nonBlankText(1, limits.body)),
  }),
  fields: ['item_type', 'item', 'report_type', 'body'],
  invalid: { item_type: 'reports.choose', report_type: 'reports.choose', body: 'reports.body_invalid' },
  errors: { report_item_unknown: 'item', report_open: 'item' },
});

export const decideReportForm = defineForm({
  action: '/_internal/reports/decide',
  shape: z.object({ report: idShape, outcome: z.enum(reportOutcomes) }),
  fields: ['outcome'],
  errors: {},
});

/** `/report`, with what was chosen. */
export const reportPath = ({ item_type, item: named }: { item_type?: unknown; item?: unknown }): string => {
  const type = reportItems.find((one) => one === item_type);
  const text = typeof named === 'string' ? named.slice(0, 300) : '';
  return withQuery('/report', { ...(type && { type }), ...(text && { item: text }) });
};

export const reportedItemShape = z.object({
  item: z
    .object({
      name: z.string(),
      of: z.string().nullable(),
      picture: z.string().nullable(),
      path: z.string(),
    })
    .nullable(),
  open_report: z.string().nullable(),
});

/** Reporting from a screen: by name, and once while a report about the same is open. */
export function reportFormRoutes(api: Api, services: AppServices): void {
  const { sql } = services;
  formRoute(api, reportForm, {
    needs: ['REPORT_CREATE'],
    limit_bytes: bytesOfText(limits.body),
    page: (given) => reportPath(given),
    async run({ actor, fields: { item_type, item: named, report_type, body }, now }) {
      const found = await reportedItem(services, actor, item_type, named);
      if (!found) throw new Refused('report_item_unknown', { id: named });
      const report = { report_type, item_id: found.id, item_type, body };
      const id = await sql.begin(async (tx) => await createReport(tx, actor, report, now));
      return { to: `/dashboard/report/${id}?new=1` };
    },
  });

  formRoute(api, decideReportForm, {
    needs: { scopes: ['REPORT_WRITE'], rule: whyNotListReports },
    page: ({ report }) =>
      idShape.safeParse(report).success ? `/moderation/reports/${String(report)}` : '/moderation/reports',
    async run({ actor, fields: { report, outcome }, now }) {
      await sql.begin((tx) => decideReport(tx, actor, report, outcome, now));
      return { to: `/moderation/reports/${report}` };
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/reports/item',
    summary: 'What would be reported by a name, and whether the caller has an open report about it',
    tag: 'internal',
    needs: ['REPORT_CREATE'],
    query: z.object({ type: z.enum(reportItems), item }),
    answer: reportedItemShape,
    async handle({ query, actor }) {
      const found = await reportedItem(services, actor, query.type, query.item);
      if (!found) return privateJson({ item: null, open_report: null });
      const { type, id, name, of, picture, path } = found;
      const open_report = await openReportOn(sql, actor.user_id, { item_type: type, item_id: id });
      return privateJson({ item: { name, of, picture, path }, open_report });
    },
  });
}
