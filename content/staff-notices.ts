import type { StaffNotice } from '#db/messages/staff-notices/rules.ts';
import { durationText } from './durations.ts';
import { messages } from './messages.ts';

/** A notice to staff in words. */
export interface StaffNoticeText {
  title: string;
  text: string;
  /** Where one sees what it is about: a path of this site. */
  path: string;
}

/** Writes a notice to staff in the language of `t`. */
export function staffNoticeText(
  { t, formatting }: Pick<ReturnType<typeof messages>, 't' | 'formatting'>,
  notice: StaffNotice,
): StaffNoticeText {
  switch (notice.kind) {
    case 'server_broken': {
      const { name, server_id } = notice.data;
      return {
        // a name stands by itself, in its own direction
        title: t('staff_notices.server_broken', { name: `\u2068${name}\u2069` }),
        text: t('staff_notices.server_broken_text'),
        path: `/servers/manage/${server_id}`,
      };
    }
    case 'node_offline': {
      const { name, servers } = notice.data;
      return {
        title: t('staff_notices.node_offline', { name: `\u2068${name}\u2069` }),
        text: t('staff_notices.node_offline_text', { count: servers }),
        path: '/servers/admin',
      };
    }
    case 'malicious_report':
      return {
        title: t('staff_notices.malicious_report'),
        text: t('staff_notices.malicious_report_text', { item: notice.data.item_type }),
        path: `/moderation/reports/${notice.data.report_id}`,
      };
    case 'review_late':
      return {
        title: t('staff_notices.review_late', { count: notice.data.waiting }),
        text: t('staff_notices.review_late_text', {
          duration: `\u2068${durationText(formatting, notice.data.hours * 3_600_000)}\u2069`,
        }),
        path: '/moderation',
      };
    case 'job_failed':
      return {
        title: t('staff_notices.job_failed', { job: notice.data.job }),
        text: t('staff_notices.job_failed_text', { count: notice.data.count }),
        path: '/admin/staff-notices',
      };
    case 'version_flagged': {
      const { project_id, version_number, is_held } = notice.data;
      return {
        title: t('staff_notices.version_flagged', { is_held: String(is_held) }),
        text: t('staff_notices.version_flagged_text', {
          is_held: String(is_held),
          version: `\u2068${version_number}\u2069`,
        }),
        path: `/moderation/technical-review/${project_id}`,
      };
    }
    case 'scan_failed':
      return {
        title: t('staff_notices.scan_failed'),
        text: t('staff_notices.scan_failed_text', { file: `\u2068${notice.data.filename}\u2069` }),
        path: '/moderation/technical-review',
      };
    case 'proxy_unknown':
      return {
        title: t('staff_notices.proxy_unknown'),
        text: t('staff_notices.proxy_unknown_text', { address: notice.data.address }),
        path: '/docs/operators/troubleshooting',
      };
    case 'test':
      return {
        title: t('staff_notices.test'),
        text: t('staff_notices.test_text', { username: notice.data.username }),
        path: '/admin/staff-notices',
      };
  }
}

/** Writes a notice for mails, webhooks and chats: those have one reader for all of staff, so that they are in English. */
export const writeStaffNotice = (notice: StaffNotice): StaffNoticeText =>
  staffNoticeText(messages('en-US'), notice);
