/** Every kind of job, with what its `data` holds. Jobs may run twice, so each is safe to repeat. */
export interface Jobs {
  sweep_storage: Record<never, never>;
  render_anew: Record<never, never>;
  forget_expired: Record<never, never>;
  trim_events: Record<never, never>;
  expire_nodes: Record<never, never>;
  place_servers: Record<never, never>;
  expire_operations: Record<never, never>;
  notices_due: Record<never, never>;
  trim_hosting: Record<never, never>;
  /** A server for an order that is paid: its row, then a place. */
  open_server: { order_id: string };
  /** Brings a server in line with its subscription: suspended, resumed, removed. */
  match_server: { subscription_id: string };
  refund_charge: { charge_id: string };
  bill_due: Record<never, never>;
}
export type JobName = keyof Jobs;

export interface Queue {
  retryLimit: number;
  /** A run longer than this counts as dead and is tried again. */
  expireInSeconds: number;
  /** How long one that is over is kept; a week unless said. */
  deleteAfterSeconds?: number;
}

/** How often each is tried again and how long it may take. The pause between tries doubles. */
export const queues: Record<JobName, Queue> = {
  sweep_storage: { retryLimit: 3, expireInSeconds: 3600 },
  render_anew: { retryLimit: 5, expireInSeconds: 3600 },
  forget_expired: { retryLimit: 3, expireInSeconds: 600 },
  trim_events: { retryLimit: 3, expireInSeconds: 600 },
  expire_nodes: { retryLimit: 3, expireInSeconds: 60, deleteAfterSeconds: 3600 },
  place_servers: { retryLimit: 3, expireInSeconds: 300, deleteAfterSeconds: 3600 },
  expire_operations: { retryLimit: 3, expireInSeconds: 60, deleteAfterSeconds: 3600 },
  notices_due: { retryLimit: 3, expireInSeconds: 60, deleteAfterSeconds: 3600 },
  trim_hosting: { retryLimit: 3, expireInSeconds: 600 },
  open_server: { retryLimit: 20, expireInSeconds: 60 },
  match_server: { retryLimit: 20, expireInSeconds: 60 },
  refund_charge: { retryLimit: 50, expireInSeconds: 60 },
  bill_due: { retryLimit: 3, expireInSeconds: 600 },
};
