import { z } from 'zod';
import { boundedText, httpsUrl, idShape, oneLineText } from '../../platform/shape.ts';
import { noticeLevels } from './rules.ts';

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** Input of staff. Without targets a notice is for all; without an end it stays until staff end it. */
export const noticeInput = z.object({
  level: z.enum(noticeLevels),
  title: oneLineText(1, 120),
  message: boundedText(0, 2_000).default(''),
  url: httpsUrl.nullable().default(null),
  begins: instant,
  expires: instant.nullable().default(null),
  dismissable: z.boolean().default(true),
  targets: z
    .array(z.union([z.strictObject({ node_id: idShape }), z.strictObject({ server_id: idShape })]))
    .max(200)
    .default([]),
});
export type NoticeInput = z.output<typeof noticeInput>;
