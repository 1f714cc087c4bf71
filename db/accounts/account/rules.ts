import type { RefusalCode } from '../../platform/errors.ts';

/** What an account still has that costs money or runs, by number. */
export interface OpenHosting {
  servers: number;
  /** Orders that are not settled. */
  orders: number;
  /** Subscriptions that have not ended. */
  subscriptions: number;
  /** Charges that are not settled. */
  charges: number;
}

/** An account with servers or open payments cannot be deleted: nobody could stop or pay them. */
export const whyNotLeaveHosting = (open: OpenHosting): RefusalCode | null =>
  Object.values(open).some((count) => count > 0) ? 'user_has_servers' : null;
