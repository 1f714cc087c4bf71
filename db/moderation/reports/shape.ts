import { z } from 'zod';
import { reportTypes } from '../../catalogue/tags/rules.ts';
import { boundedText, idShape, nonBlankText, uploadedImages } from '../../platform/shape.ts';
import { reportItems } from './rules.ts';

export const limits = {
  body: 65_536,
  ids: 1000,
  /** Default and maximum number of reports in a list. */
  listed: 100,
  most_listed: 1000,
} as const;

/** A report; `item_id` is empty and `item_type` unknown once the item is deleted. Source: api-v2 §2.6. */
export const reportShape = z
  .object({
    id: z.string(),
    report_type: z.string(),
    item_id: z.string(),
    item_type: z.enum([...reportItems, 'unknown']),
    reporter: z.string(),
    body: z.string(),
    created: z.string(),
    closed: z.boolean(),
    thread_id: z.string(),
  })
  .meta({ id: 'Report' });
export type Report = z.output<typeof reportShape>;

/** The body of POST /report. Source: api-v2 §10. */
export const createShape = z
  .object({
    report_type: z.enum(reportTypes),
    item_id: idShape,
    item_type: z.enum(reportItems),
    body: nonBlankText(1, limits.body),
    uploaded_images: uploadedImages.nullish(),
  })
  .meta({ id: 'ReportCreate' });
export type CreateData = z.output<typeof createShape>;

/** The body of PATCH /report/{id}: absent and null keep a field. Source: api-v2 §10. */
export const editShape = z
  .object({
    body: boundedText(1, limits.body).nullish(),
    closed: z.boolean().nullish(),
    uploaded_images: uploadedImages.nullish(),
  })
  .meta({ id: 'ReportEdit' });
export type EditData = z.output<typeof editShape>;
