/** The data of every kind of job. What a job does and when stands in `control-plane/jobs/`. */
export interface Jobs {
  sweep_storage: Record<never, never>;
  rerender_texts: Record<never, never>;
  delete_expired: Record<never, never>;
  purge_events: Record<never, never>;
  purge_audit_log: Record<never, never>;
  expire_nodes: Record<never, never>;
  schedule_servers: Record<never, never>;
  expire_operations: Record<never, never>;
  notices_due: Record<never, never>;
  purge_hosting: Record<never, never>;
  /** Creates the server of a paid order and schedules it. */
  create_server: { order_id: string };
  /** Brings a server in line with its subscription: suspended, resumed, removed. */
  reconcile_server: { subscription_id: string };
  refund_charge: { charge_id: string };
  run_billing: Record<never, never>;
}
export type JobName = keyof Jobs;

/** How a queue retries and keeps its jobs, in the words of pg-boss. The pause between retries doubles. */
export interface Queue {
  retryLimit: number;
  /** A run longer than this counts as dead and is retried. */
  expireInSeconds: number;
  /** How long a finished job is kept; a week unless given. */
  deleteAfterSeconds?: number;
}
