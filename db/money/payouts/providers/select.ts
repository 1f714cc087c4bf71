import type { Db } from '../../../platform/postgres/sql.ts';
import type { Settings } from '../../../platform/runtime/env.ts';
import type { PayoutProvider } from '../provider.ts';
import { bankPayouts } from './bank/adapter.ts';
import { withKeptMethods } from './kept-methods.ts';
import { paypalPayouts } from './paypal/adapter.ts';
import { testPayouts } from './test.ts';
import { tremendousPayouts } from './tremendous/adapter.ts';

type Given = Pick<Settings, 'PAYOUTS'> &
  Parameters<typeof paypalPayouts>[0] &
  Parameters<typeof tremendousPayouts>[0] &
  Parameters<typeof bankPayouts>[0];

const open: Record<Settings['PAYOUTS'][number], (settings: Given, sql: Db) => PayoutProvider> = {
  paypal: (settings) => withKeptMethods(paypalPayouts(settings)),
  tremendous: (settings) => withKeptMethods(tremendousPayouts(settings)),
  bank: bankPayouts,
  test: (_settings, sql) => testPayouts(sql),
};

/**
 * The providers that pay creators here, as the setting PAYOUTS says; none when it is `off`. Opened once in a process: they keep
 * tokens, certificates and what they offer.
 */
export const payoutProviders = (settings: Given, sql: Db): PayoutProvider[] =>
  settings.PAYOUTS.map((name) => open[name](settings, sql));
