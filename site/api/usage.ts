import { whyNotView } from '#db/discovery/analytics/rules.ts';
import { playtimeShape, serverPlayShape, viewShape } from '#db/discovery/analytics/shape.ts';
import { isBot } from '#db/discovery/analytics/sources.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import { createSharedLimiter } from '#db/platform/runtime/shared-rate-limit.ts';
import type { AppServices } from '../platform/context.ts';
import { countryInHeader } from '../platform/http/country-header.ts';
import { byNetwork } from '../platform/http/network-limiter.ts';
import { authenticatedRoute, publicRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';

const tag = 'analytics';

/** Entries of a report of playtime that count as one request, so that a network stores at most 12,000 rows a minute. */
const entries_per_hit = 100;

/**
 * Views and playtime that clients report, at most 120 a minute from one network. They are counted in memory and stored in
 * batches, without addresses and people; what bots report is answered and not counted. Nor is what players report of
 * servers: it is about projects that are listings of servers, of which there are none here, and no figure is made of it.
 * Checking it would tell the session service of the game who plays, for nothing.
 * Source: api-v2 §14; decisions §1.9.
 */
export function usageRoutes(
  api: Api,
  { sql, settings, usage }: Pick<AppServices, 'sql' | 'settings' | 'usage'>,
): void {
  const origins = [new URL(settings.SITE_URL).origin, ...settings.ANALYTICS_ORIGINS];
  const limiter = byNetwork(createSharedLimiter(sql, 'usage', { count: 120, per_ms: 60_000 }));
  const count = (network: string, now: Date, cost = 1) => {
    const { allowed, retry_after_ms } = limiter.hit(network, now.getTime(), cost);
    if (allowed) return;
    const retry_after_seconds = Math.ceil(retry_after_ms / 1000);
    throw new Refused('rate_limited', { retry_after_ms, retry_after_seconds });
  };

  const countryOf = (request: Request) => {
    const country = settings.COUNTRY_HEADER && countryInHeader(request.headers.get(settings.COUNTRY_HEADER));
    return country ? { country } : {};
  };

  publicRoute(api, {
    method: 'post',
    path: '/analytics/view',
    summary: 'Report a view of a page',
    tag,
    body: viewShape,
    handle: async ({ body: { url }, address, request, now }) => {
      assertAllowed(whyNotView(url, origins));
      const network = networkOf(address);
      count(network, now);
      const { pathname: path, hostname: domain } = new URL(url);
      if (!isBot(request.headers.get('user-agent') ?? undefined))
        usage.view({ at: now, domain, path: path.slice(0, 512), network, ...countryOf(request) });
      return undefined;
    },
  });

  publicRoute(api, {
    method: 'post',
    path: '/analytics/minecraft-server-play',
    summary:
      'Report that somebody joined a listed server; accepted and not counted, as no servers are listed here',
    tag,
    body: serverPlayShape,
    handle: async ({ address, now }) => {
      count(networkOf(address), now);
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/analytics/playtime',
    summary: 'Report for how many seconds versions were played; sessions only',
    tag,
    needs: ['PERFORM_ANALYTICS'],
    body: playtimeShape,
    handle: async ({ body, address, request, now }) => {
      const network = networkOf(address);
      count(network, now, Math.ceil(Math.max(1, Object.keys(body).length) / entries_per_hit));
      usage.played({ at: now, network, playtime: body, ...countryOf(request) });
      return undefined;
    },
  });
}
