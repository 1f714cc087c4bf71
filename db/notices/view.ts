import type { NoticeLevel } from './rules.ts';

/** A notice as an open panel shows it. */
export interface NoticeView {
  id: string;
  level: NoticeLevel;
  title: string;
  message: string;
  url: string | null;
  dismissable: boolean;
  begins: string;
  expires: string | null;
}

/** A notice as staff see it: whom it is for (no targets: all) and how many put it away. */
export interface NoticeForStaff extends NoticeView {
  targets: NoticeTarget[];
  dismissed: number;
  created: string;
}
export type NoticeTarget = { node_id: string } | { server_id: string };
