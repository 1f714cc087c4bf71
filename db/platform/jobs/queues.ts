/** The data of every job. Handlers and schedules are in `control-plane/jobs/`. */
export interface Jobs {
  sweep_storage: Record<never, never>;
  rerender_texts: Record<never, never>;
  delete_expired: Record<never, never>;
  purge_events: Record<never, never>;
  purge_audit_log: Record<never, never>;
  purge_security_log: Record<never, never>;
  mail_reminders: Record<never, never>;
  mail_staff_factor: Record<never, never>;
  purge_notifications: Record<never, never>;
  export_data: { export_id: string };
  delete_old_exports: Record<never, never>;
  mail_notifications: Record<never, never>;
  expire_nodes: Record<never, never>;
  schedule_servers: Record<never, never>;
  expire_operations: Record<never, never>;
  settle_servers: Record<never, never>;
  schedule_backups: Record<never, never>;
  run_schedules: Record<never, never>;
  rotate_backups: Record<never, never>;
  remove_backups: Record<never, never>;
  notices_due: Record<never, never>;
  purge_hosting: Record<never, never>;
  check_domains: Record<never, never>;
  purge_shared_logs: Record<never, never>;
  roll_up_figures: Record<never, never>;
  check_alerts: Record<never, never>;
  roll_up_analytics: Record<never, never>;
  share_revenue: Record<never, never>;
  /** Asks providers what became of payouts, and sends those that they never got. */
  settle_payouts: Record<never, never>;
  /** Compares payouts with the books of their providers. */
  reconcile_payouts: Record<never, never>;
  /** Creates the server of a paid order and schedules it. */
  create_server: { order_id: string };
  /** Reconciles a server with its subscription: suspends, resumes or deletes it. */
  reconcile_server: { subscription_id: string };
  /** Sends a refund to the processor: the one that is named, or the one that has the id of its charge. */
  refund_charge: { charge_id: string; refund_id?: string };
  run_billing: Record<never, never>;
  import_game_versions: Record<never, never>;
  release_scheduled: Record<never, never>;
  notify_staff: Record<never, never>;
  refresh_trusted: Record<never, never>;
  write_zone: Record<never, never>;
}
export type JobName = keyof Jobs;

/** Retries and retention of a queue, in the terms of pg-boss. The retry delay doubles each time. */
export interface Queue {
  retryLimit: number;
  /** Timeout of a run in seconds; then the job counts as failed and is retried. */
  expireInSeconds: number;
  /** Retention of finished jobs; a week by default. */
  deleteAfterSeconds?: number;
}
