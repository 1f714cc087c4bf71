import type { RefusalCode } from '../errors.ts';

/** What somebody can sign in with. */
export interface SignInMethods {
  has_password: boolean;
  /** How many passkeys. */
  passkeys: number;
  /** Providers with a linked account. */
  providers: readonly string[];
}

/** Why the account at `provider` may not be removed, or null: it is not linked, or nothing else would be left. */
export function whyNotUnlink(
  { has_password, passkeys, providers }: SignInMethods,
  provider: string,
): RefusalCode | null {
  if (!providers.includes(provider)) return 'provider_not_linked';
  return has_password || passkeys > 0 || providers.length > 1 ? null : 'last_sign_in_method';
}

/**
 * A username made from the name at a provider: what usernames may not hold is left out, as is all after the @ of an
 * address. Empty when nothing is left.
 */
export const usernameFrom = (name: string | null): string =>
  (name ?? '')
    .replace(/@.*$/s, '')
    .normalize('NFKD')
    .replace(/\s+/g, '-')
    .replace(/[^A-Za-z0-9._-]/g, '')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 39);
