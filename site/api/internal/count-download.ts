import { checkedDownloadMeta } from '#db/discovery/analytics/download-meta.ts';
import {
  assertGameVersion,
  downloadedVersion,
  type FileAddress,
} from '#db/discovery/analytics/find-download.ts';
import { countDownloadShape } from '#db/discovery/analytics/shape.ts';
import { domainOf, isCrawler, sentToken, sourceOfDownload } from '#db/discovery/analytics/sources.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import { countryInHeader } from '../../platform/http/country-header.ts';
import { publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { assertAdminKey } from './admin.ts';

/**
 * Counts a download that a CDN in front answered, as if it had been answered here: within the same limits, and not for
 * crawlers. Source: api-v3 §7; api-behaviours §10.
 */
export function countDownloadRoute(api: Api): void {
  publicRoute(api, {
    method: 'patch',
    path: '/admin/_count-download',
    summary: 'Count a download that a CDN answered',
    tag: 'admin',
    body: countDownloadShape,
    handle: async ({ sql, services: { settings, usage }, body, request }) => {
      assertAdminKey(settings, request);
      const headers = Object.fromEntries(
        Object.entries(body.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const meta = checkedDownloadMeta(headers, body.url);
      await assertGameVersion(sql, meta?.game_version);
      const { project_id, version_name: name, url } = body;
      const version = await downloadedVersion(sql, { file: fileAddress(settings, url), project_id, name });
      const { 'user-agent': agent, referer: referrer } = headers;
      if (isCrawler(agent)) return undefined;
      const country = settings.COUNTRY_HEADER && countryInHeader(headers[settings.COUNTRY_HEADER]);
      usage.count({
        ...version,
        network: networkOf(body.ip),
        meta,
        ...(country && { country }),
        source: sourceOfDownload({ agent, referrer }, new URL(settings.SITE_URL).hostname),
        domain: domainOf(referrer),
        ...sentToken(headers.authorization),
      });
      return undefined;
    },
  });
}

/** The file of an address of this installation, null for any other address. */
function fileAddress(
  { SITE_URL, CDN_URL }: Pick<Settings, 'SITE_URL' | 'CDN_URL'>,
  address: string,
): FileAddress | null {
  const { origin, pathname } = new URL(address);
  if (![SITE_URL, CDN_URL].some((own) => own && new URL(own).origin === origin)) return null;
  const [, project_id, version_id, name] =
    /^\/data\/([0-9A-Za-z]{1,11})\/versions\/([0-9A-Za-z]{1,11})\/([^/]+)$/.exec(pathname) ?? [];
  if (!project_id || !version_id || !name) return null;
  try {
    const filename = decodeURIComponent(name);
    return filename.includes('\0') ? null : { project_id, version_id, filename };
  } catch {
    return null;
  }
}
