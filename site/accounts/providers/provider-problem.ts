import type { RefusalCode } from '#db/platform/errors.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import { providerNames } from './configured-providers.ts';

/** What `auth/callback` says in the address of the page it leads back to; other codes say nothing. */
const shown = [
  'provider_unknown',
  'provider_away',
  'provider_failed',
  'provider_declined',
  'provider_email_known',
  'provider_linked_elsewhere',
  'provider_already_linked',
  'sign_in_other_browser',
  'flow_invalid',
  'cross_site',
  'rate_limited',
] as const satisfies RefusalCode[];

/**
 * The problem that an address names by `provider_error` and `provider`; null without one. Anybody can make up an address, so
 * only the names of configured providers are shown.
 */
export function providerProblem(
  query: URLSearchParams,
  settings: Settings,
): { code: (typeof shown)[number]; provider: string } | null {
  const given = query.get('provider_error');
  if (given === null) return null;
  const code = shown.find((one) => one === given) ?? 'provider_failed';
  const provider = providerNames(settings).find(({ name }) => name === query.get('provider'))?.name;
  return { code, provider: provider ?? '…' };
}
