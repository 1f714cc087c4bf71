import { z } from 'zod';
import { noticeLevels } from './rules.ts';

/** A notice in a server panel. */
export const noticeView = z.strictObject({
  id: z.string(),
  level: z.enum(noticeLevels),
  title: z.string(),
  message: z.string(),
  url: z.string().nullable(),
  dismissable: z.boolean(),
  begins: z.string(),
  expires: z.string().nullable(),
});
export type NoticeView = z.output<typeof noticeView>;

/** A notice as staff see it: its targets (none: all) and how many users dismissed it. */
export interface NoticeForStaff extends NoticeView {
  targets: NoticeTarget[];
  dismissed: number;
  created: string;
}
type NoticeTarget = { node_id: string } | { server_id: string };
