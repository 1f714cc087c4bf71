import type { RefusalCode } from '../../platform/errors.ts';

/** What an account can be entered with. */
interface Ways {
  password: boolean;
  passkeys: number;
  providers: readonly string[];
}

export const max_passkeys = 20;

/** How many ways of signing in an account has. */
const waysLeft = ({ password, passkeys, providers }: Ways): number =>
  Number(password) + passkeys + providers.length;

/** Why the last way of signing in cannot be taken away, or null. Source: api-v3 §4 (DELETE provider). */
export const whyNotLoseWay = (ways: Ways): RefusalCode | null =>
  waysLeft(ways) > 1 ? null : 'last_sign_in_method';

/** Why a password cannot be removed, or null: one needs another way of signing in. Source: api-v3 §4 (PATCH password). */
export const whyNotRemovePassword = (ways: Ways): RefusalCode | null =>
  ways.password ? whyNotLoseWay(ways) : 'no_password';

/** Whether something is asked for after the password. */
export const asksSecondStep = ({ totp, passkey_step }: { totp: boolean; passkey_step: boolean }): boolean =>
  totp || passkey_step;

/** Until which day (UTC) the role counts of somebody who is staff without a second factor, and whether that is over. */
export interface StaffFactorDue {
  until: string;
  is_over: boolean;
}
