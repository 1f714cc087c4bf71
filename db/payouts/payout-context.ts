import type { Pool } from '../sql.ts';
import type { PayoutProvider } from './provider.ts';

/** What payouts work with. */
export interface PayoutContext {
  sql: Pool;
  providers: readonly PayoutProvider[];
  log: Record<'warn' | 'error', (data: object, text: string) => void>;
}
