import type { RefusalCode } from '../../platform/errors.ts';
import { whyNotLoseWay } from '../sign-in/rules.ts';

/** Why the account at `provider` may not be removed, or null: it is not linked, or nothing else would be left. */
export const whyNotUnlink = (
  ways: Parameters<typeof whyNotLoseWay>[0],
  provider: string,
): RefusalCode | null => (ways.providers.includes(provider) ? whyNotLoseWay(ways) : 'provider_not_linked');

/**
 * A username made from the name at a provider: what usernames may not hold is left out, as is all after the @ of an
 * address. Empty when nothing is left.
 */
export const usernameFrom = (name: string | null): string =>
  (name ?? '')
    .split('@', 1)[0]!
    .normalize('NFKD')
    .replace(/\s+/g, '-')
    .replace(/[^A-Za-z0-9._-]/g, '')
    .replace(/^[.-]+|(?<![.-])[.-]+$/g, '')
    .slice(0, 39);
