import type { Mailing } from '../../messages/mail/queue.ts';
import type { Pool } from '../../platform/postgres/sql.ts';
import type { PayoutProvider } from './provider.ts';
import type { TaxForms } from './tax/tax-forms.ts';

/** What payouts work with. */
export interface PayoutContext {
  sql: Pool;
  providers: readonly PayoutProvider[];
  log: Record<'warn' | 'error', (data: object, text: string) => void>;
}

/** What withdrawals work with. */
export interface WithdrawalContext extends PayoutContext {
  taxForms: Pick<TaxForms, 'status'>;
  mailing: Mailing;
}
