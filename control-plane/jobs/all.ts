import type { JobName } from '#db/platform/jobs/queues.ts';
import { removeBackupsJob, rotateBackupsJob, scheduleBackups } from './backups.ts';
import { checkAlertsJob } from './check-alerts.ts';
import { checkDomainsJob } from './check-domains.ts';
import type { JobDefinition } from './define.ts';
import { deleteExpired } from './delete-expired.ts';
import { expireNodesJob, expireOperationsJob } from './expire.ts';
import { deleteOldExportsJob, exportDataJob } from './exports.ts';
import { importGameVersionsJob } from './import-game-versions.ts';
import { mailNotificationsJob, mailRemindersJob, mailStaffFactorJob } from './mails.ts';
import { noticesDue } from './notices-due.ts';
import { notifyStaffJob } from './notify-staff.ts';
import { createServerJob, reconcileServerJob, refundChargeJob } from './orders.ts';
import { reconcilePayoutsJob, settlePayoutsJob } from './payouts.ts';
import {
  purgeAuditLogJob,
  purgeEventsJob,
  purgeHostingJob,
  purgeNotificationsJob,
  purgeSecurityLogJob,
  purgeSharedLogsJob,
} from './purge.ts';
import { refreshTrustedJob } from './refresh-trusted.ts';
import { releaseScheduledJob } from './release-scheduled.ts';
import { rerenderTextsJob } from './rerender-texts.ts';
import { rollUpAnalyticsJob, rollUpFiguresJob } from './roll-up.ts';
import { runBilling } from './run-billing.ts';
import { scheduleServers } from './schedule-servers.ts';
import { runSchedulesJob } from './schedules.ts';
import { settleServersJob } from './settle-servers.ts';
import { shareRevenueJob } from './share-revenue.ts';
import { sweepStorage } from './sweep-storage.ts';
import { writeZone } from './write-zone.ts';

/** All jobs of the product, by name. */
export const jobs: { [N in JobName]: JobDefinition<N> } = {
  sweep_storage: sweepStorage,
  rerender_texts: rerenderTextsJob,
  delete_expired: deleteExpired,
  purge_events: purgeEventsJob,
  purge_audit_log: purgeAuditLogJob,
  purge_security_log: purgeSecurityLogJob,
  mail_reminders: mailRemindersJob,
  mail_staff_factor: mailStaffFactorJob,
  purge_notifications: purgeNotificationsJob,
  export_data: exportDataJob,
  delete_old_exports: deleteOldExportsJob,
  mail_notifications: mailNotificationsJob,
  expire_nodes: expireNodesJob,
  schedule_servers: scheduleServers,
  expire_operations: expireOperationsJob,
  settle_servers: settleServersJob,
  schedule_backups: scheduleBackups,
  run_schedules: runSchedulesJob,
  rotate_backups: rotateBackupsJob,
  remove_backups: removeBackupsJob,
  notices_due: noticesDue,
  purge_hosting: purgeHostingJob,
  check_domains: checkDomainsJob,
  purge_shared_logs: purgeSharedLogsJob,
  roll_up_figures: rollUpFiguresJob,
  roll_up_analytics: rollUpAnalyticsJob,
  share_revenue: shareRevenueJob,
  settle_payouts: settlePayoutsJob,
  reconcile_payouts: reconcilePayoutsJob,
  check_alerts: checkAlertsJob,
  create_server: createServerJob,
  reconcile_server: reconcileServerJob,
  refund_charge: refundChargeJob,
  run_billing: runBilling,
  import_game_versions: importGameVersionsJob,
  release_scheduled: releaseScheduledJob,
  notify_staff: notifyStaffJob,
  refresh_trusted: refreshTrustedJob,
  write_zone: writeZone,
};
