import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isAdmin } from '../../platform/people/rules.ts';

/** What staff hear of, with what is known about it; `key` in the table makes each occasion heard of once. */
interface StaffNoticeData {
  /** A game server could not be set up, or does not run anymore. */
  server_broken: { server_id: string; name: string };
  /** A node is silent; `servers` are on it. */
  node_offline: { node_id: string; name: string; servers: number };
  /** A scan found something grave. `is_held`: the version was hidden; those of trusted creators are not. */
  version_flagged: { project_id: string; version_id: string; version_number: string; is_held: boolean };
  /** A file that could not be scanned in three tries. */
  scan_failed: { project_id: string; filename: string };
  malicious_report: { report_id: string; item_type: string };
  /** Projects that wait for review, and how many hours the first of them has waited. */
  review_late: { waiting: number; hours: number };
  /** Jobs of one kind that failed for good within an hour. */
  job_failed: { job: string; count: number };
  /** Requests come through a proxy that TRUST_PROXY does not name. */
  proxy_unknown: { address: string };
  test: { username: string };
}
type StaffNoticeKind = keyof StaffNoticeData;
export type StaffNotice = {
  [K in StaffNoticeKind]: { kind: K; data: StaffNoticeData[K] };
}[StaffNoticeKind];

/** Hours within which a submitted project is reviewed; staff hear of the queue once a day while it is longer. */
export const review_promise_hours = 48;

/** The list, which names the addresses of staff, and the test of them. */
export const whyNotSeeStaffNotices = (viewer: Actor | null): RefusalCode | null =>
  isAdmin(viewer) ? null : 'admins_only';

/** Where a notice goes besides mail. */
export const staffChannels = ['webhook', 'chat'] as const;
export type StaffChannel = (typeof staffChannels)[number];
