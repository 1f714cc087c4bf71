import type { Settings } from '#db/platform/runtime/env.ts';
import { gitlab, google, microsoft, openIdConnect } from './openid-connect.ts';
import { discord, github } from './profile-providers.ts';
import { type Provider, type ProviderId, providerIds, type Registration } from './provider.ts';
import { steam } from './steam.ts';

/** How long a provider may take to answer one request. */
const default_limit_ms = 8_000;

/** The providers that the settings configure, by id, in the order of their buttons. Source: screens §A.5. */
export function configuredProviders(
  settings: Settings,
  limit_ms = default_limit_ms,
): ReadonlyMap<ProviderId, Provider> {
  const callback = `${settings.SITE_URL}/_internal/auth/callback`;
  const withSecret = (
    client_id: string | undefined,
    client_secret: string | undefined,
    make: (registration: Registration) => Provider,
  ): Provider | null =>
    client_id && client_secret ? make({ client_id, client_secret, callback, limit_ms }) : null;
  const s = settings;
  const made: Record<ProviderId, Provider | null> = {
    discord: withSecret(s.DISCORD_CLIENT_ID, s.DISCORD_CLIENT_SECRET, (r) => discord(r, s.DISCORD_URL)),
    github: withSecret(s.GITHUB_CLIENT_ID, s.GITHUB_CLIENT_SECRET, (r) => github(r, s.GITHUB_URL)),
    microsoft: withSecret(s.MICROSOFT_CLIENT_ID, s.MICROSOFT_CLIENT_SECRET, (r) =>
      microsoft(r, s.MICROSOFT_URL),
    ),
    google: withSecret(s.GOOGLE_CLIENT_ID, s.GOOGLE_CLIENT_SECRET, (r) => google(r, s.GOOGLE_URL)),
    steam: s.STEAM_SIGN_IN === 'on' ? steam({ callback, limit_ms }, s.STEAM_URL) : null,
    gitlab: withSecret(s.GITLAB_CLIENT_ID, s.GITLAB_CLIENT_SECRET, (r) => gitlab(r, s.GITLAB_URL)),
    oidc: withSecret(s.OIDC_CLIENT_ID, s.OIDC_CLIENT_SECRET, (r) =>
      openIdConnect({ id: 'oidc', name: oidcName(s), issuer: s.OIDC_ISSUER! }, r),
    ),
  };
  return new Map(providerIds.flatMap((id) => (made[id] ? [[id, made[id]] as const] : [])));
}

const oidcName = ({ OIDC_NAME, OIDC_ISSUER }: Settings): string => OIDC_NAME ?? new URL(OIDC_ISSUER!).host;

/** The names of the configured providers, in the order of their buttons, for pages. */
export const providerNames = (settings: Settings): Array<{ id: ProviderId; name: string }> =>
  [...configuredProviders(settings).values()].map(({ id, name }) => ({ id, name }));
