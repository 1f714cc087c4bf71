import { Secret, TOTP } from 'otpauth';

/** Codes of authenticator apps: SHA-1, 6 digits, 30 seconds, one step of tolerance. Source: api-v3 §4. */

const period_s = 30;
const tolerance_steps = 1;
const secret_bytes = 20;

const totp = (secret: string, label = ''): TOTP =>
  new TOTP({
    issuer: 'Cairn',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: period_s,
    secret: Secret.fromBase32(secret),
  });

/** A new secret in base32. */
export const newTotpSecret = (): string => new Secret({ size: secret_bytes }).base32;

/** The address that apps read from a QR code. */
export const totpAddress = (secret: string, username: string): string => totp(secret, username).toString();

/** The step of `code`, counted since 1970; null when it is none of the secret at this time. */
export function totpStep(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = totp(secret).validate({ token: code, timestamp, window: tolerance_steps });
  // 0 is the current step
  return delta === null ? null : Math.floor(timestamp / 1000 / period_s) + delta;
}
