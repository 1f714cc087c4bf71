import type { Settings } from '../../runtime/env.ts';
import type { Db } from '../../sql.ts';
import type { PayoutProvider } from '../provider.ts';
import { testPayouts } from './test.ts';

/** The providers that pay creators here, as the setting PAYOUTS says; none when it is `off`. */
export const payoutProviders = (settings: Pick<Settings, 'PAYOUTS'>, sql: Db): PayoutProvider[] =>
  settings.PAYOUTS.flatMap((name) => (name === 'test' ? [testPayouts(sql)] : []));
