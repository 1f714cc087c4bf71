import type { JobName } from '#db/platform/jobs/queues.ts';
import { checkAlertsJob } from './check-alerts.ts';
import { checkDomainsJob } from './check-domains.ts';
import { createServerJob } from './create-server.ts';
import type { JobDefinition } from './define.ts';
import { deleteExpired } from './delete-expired.ts';
import { deleteOldExportsJob } from './delete-old-exports.ts';
import { expireNodesJob } from './expire-nodes.ts';
import { expireOperationsJob } from './expire-operations.ts';
import { exportDataJob } from './export-data.ts';
import { importGameVersionsJob } from './import-game-versions.ts';
import { mailNotificationsJob } from './mail-notifications.ts';
import { mailRemindersJob } from './mail-reminders.ts';
import { mailStaffFactorJob } from './mail-staff-factor.ts';
import { noticesDue } from './notices-due.ts';
import { notifyStaffJob } from './notify-staff.ts';
import { purgeAuditLogJob } from './purge-audit-log.ts';
import { purgeEventsJob } from './purge-events.ts';
import { purgeHostingJob } from './purge-hosting.ts';
import { purgeNotificationsJob } from './purge-notifications.ts';
import { purgeSecurityLogJob } from './purge-security-log.ts';
import { purgeSharedLogsJob } from './purge-shared-logs.ts';
import { reconcilePayoutsJob } from './reconcile-payouts.ts';
import { reconcileServerJob } from './reconcile-server.ts';
import { refreshTrustedJob } from './refresh-trusted.ts';
import { refundChargeJob } from './refund-charge.ts';
import { releaseScheduledJob } from './release-scheduled.ts';
import { removeBackupsJob } from './remove-backups.ts';
import { rerenderTextsJob } from './rerender-texts.ts';
import { rollUpAnalyticsJob } from './roll-up-analytics.ts';
import { rollUpFiguresJob } from './roll-up-figures.ts';
import { rotateBackupsJob } from './rotate-backups.ts';
import { runBilling } from './run-billing.ts';
import { runSchedulesJob } from './run-schedules.ts';
import { scheduleBackups } from './schedule-backups.ts';
import { scheduleServers } from './schedule-servers.ts';
import { settlePayoutsJob } from './settle-payouts.ts';
import { settleSchedulesJob } from './settle-schedules.ts';
import { settleBackupsJob, settleChangesJob, settleMovesJob } from './settle-servers.ts';
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
  settle_backups: settleBackupsJob,
  settle_changes: settleChangesJob,
  settle_moves: settleMovesJob,
  schedule_backups: scheduleBackups,
  run_schedules: runSchedulesJob,
  settle_schedules: settleSchedulesJob,
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
