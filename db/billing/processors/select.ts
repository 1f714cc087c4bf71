import { Refused } from '../../errors.ts';
import type { Settings } from '../../runtime/env.ts';
import type { Payments } from '../payments.ts';
import { sandboxPayments } from './sandbox.ts';

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
  resolveMethod: refuses,
  charge: refuses,
  retrieve: refuses,
  refund: refuses,
  verify: refuses,
};

/** The payment processor of this installation, as the setting PAYMENTS says. */
export const paymentProcessor = ({ PAYMENTS }: Pick<Settings, 'PAYMENTS'>): Payments =>
  PAYMENTS === 'test' ? sandboxPayments : noPayments;
