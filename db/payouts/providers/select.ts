import type { Settings } from '../../runtime/env.ts';
import type { Db } from '../../sql.ts';
import type { PayoutProvider } from '../provider.ts';
import { bankPayouts } from './bank/adapter.ts';
import { paypalPayouts } from './paypal/adapter.ts';
import { testPayouts } from './test.ts';
import { tremendousPayouts } from './tremendous/adapter.ts';

type Given = Pick<Settings, 'PAYOUTS'> &
  Partial<Parameters<typeof paypalPayouts>[0] & Parameters<typeof tremendousPayouts>[0]> &
  Partial<Parameters<typeof bankPayouts>[0]>;

/** The providers that pay creators here, as the setting PAYOUTS says; none when it is `off`. */
export const payoutProviders = (settings: Given, sql: Db): PayoutProvider[] =>
  settings.PAYOUTS.map((name) => {
    switch (name) {
      case 'paypal':
        return paypalPayouts(settings);
      case 'tremendous':
        return tremendousPayouts(settings);
      case 'bank':
        return bankPayouts(settings, sql);
      case 'test':
        return testPayouts(sql);
    }
  });
