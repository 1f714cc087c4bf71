import type { Settings } from '../env.ts';
import { Refused } from '../errors.ts';
import type { Payments } from './payments.ts';
import { testPayments } from './test-processor.ts';

const refuses = async (): Promise<never> => {
  throw new Refused('payments_off');
};
/** Installations that sell nothing. */
const noPayments: Payments = {
  name: 'off',
  enabled: false,
  test: false,
  method: refuses,
  charge: refuses,
  look: refuses,
  refund: refuses,
  verify: refuses,
};

/** Who takes money on this installation, as the setting PAYMENTS says. */
export const openPayments = ({ PAYMENTS }: Pick<Settings, 'PAYMENTS'>): Payments =>
  PAYMENTS === 'test' ? testPayments : noPayments;
