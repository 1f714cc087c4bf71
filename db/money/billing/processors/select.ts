import { Refused } from '../../../platform/errors.ts';
import type { Settings } from '../../../platform/runtime/env.ts';
import type { Payments } from '../payments.ts';
import { sandboxPayments } from './sandbox.ts';
import { stripePayments } from './stripe/adapter.ts';

const refuses = async (): Promise<never> => {
  throw new Refused('payments_off');
};
/** The processor of installations that sell nothing. */
const noPayments: Payments = {
  name: 'off',
  enabled: false,
  test: false,
  webhook: null,
  openCustomer: null,
  beginMethod: null,
  forgetMethod: null,
  forgetCustomer: null,
  list: null,
  feeOf: null,
  resolveMethod: refuses,
  charge: refuses,
  retrieve: refuses,
  payInstead: refuses,
  cancel: refuses,
  refund: refuses,
  verify: refuses,
};

type Chosen = Pick<Settings, 'PAYMENTS'> & Partial<Parameters<typeof stripePayments>[0]>;

const adapters: Readonly<Record<Settings['PAYMENTS'], (settings: Chosen) => Payments>> = {
  test: () => sandboxPayments,
  stripe: (settings) => stripePayments(settings),
  off: () => noPayments,
};

/** The payment processor of this installation, as the setting PAYMENTS says. */
export const paymentProcessor = (settings: Chosen): Payments => adapters[settings.PAYMENTS](settings);
