import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Registry } from 'prom-client';
import { deletedVersionOfFile, goneRefusal } from '#db/catalogue/versions/deleted.ts';
import type { AppContext } from '#db/context.ts';
import { usageCounter } from '#db/discovery/analytics/counter.ts';
import { countries } from '#db/discovery/analytics/country.ts';
import { freshStatus } from '#db/discovery/search/fresh-status.ts';
import { withMetrics } from '#db/discovery/search/metrics.ts';
import { whileDatabaseAway } from '#db/discovery/search/while-database-away.ts';
import { health } from '#db/health.ts';
import { openAdNetwork } from '#db/money/ads/open.ts';
import { payoutProviders } from '#db/money/payouts/providers/select.ts';
import { taxFormProvider } from '#db/money/payouts/tax/select.ts';
import { refusals } from '#db/platform/errors.ts';
import type { FileLocation } from '#db/platform/files/stored-files.ts';
import type { LazyQueue } from '#db/platform/jobs/lazy-queue.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';
import { controlAddress } from '#db/platform/runtime/control-address.ts';
import { watchEventLoop } from '#db/platform/runtime/event-loop.ts';
import { createRegistry, gauge } from '#db/platform/runtime/metrics.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import { onBehalfOf, type Requester, requester } from '#db/platform/runtime/requester.ts';
import { handleStatusRequest, statusPaths } from '#db/platform/runtime/status-endpoints.ts';
import { createApi } from './api/app.ts';
import { apiListener } from './api/listener.ts';
import { openApi } from './api/ready-documents.ts';
import { isApiPath, wantsApiRoot } from './api/root.ts';
import { discoveryRouter } from './api/well-known-router.ts';
import { cards } from './catalogue/og-images/cards.ts';
import { adFiles } from './platform/http/ad-files.ts';
import { addressReader, warnOfUntrustedProxy } from './platform/http/address.ts';
import { blockedFiles } from './platform/http/blocked-files.ts';
import { builds, shortBuild } from './platform/http/build-info.ts';
import { builtFiles } from './platform/http/built-files.ts';
import { withCountryCurrency } from './platform/http/country-currency.ts';
import { createFreshness } from './platform/http/freshness.ts';
import { headersOfAll } from './platform/http/headers.ts';
import { hiddenFiles } from './platform/http/hidden-files.ts';
import { imageProxy } from './platform/http/image-proxy.ts';
import { leavingOf } from './platform/http/leaving.ts';
import { refusesWrites } from './platform/http/method-guard.ts';
import { atOwnAddress } from './platform/http/one-address.ts';
import { createPageCache, type PageCache, type PageRenderer } from './platform/http/page-cache.ts';
import { renderLimit } from './platform/http/render-limit.ts';
import { type Kind, requestLog, type Watched } from './platform/http/request-log.ts';
import { targetOf } from './platform/http/request-target.ts';
import { signInReturn } from './platform/http/sign-in-return.ts';
import { filesHandler } from './platform/http/stored-files.ts';
import { isTransferPath, transferProxy } from './platform/http/transfer-proxy.ts';
import { tellStaffOfProxy } from './platform/http/untrusted-proxy.ts';
import { openStaticPages } from './platform/static-pages/static-pages.ts';

/** Astro's handler; the last argument becomes `Astro.locals`. */
export type RenderPage = (
  req: IncomingMessage,
  res: ServerResponse,
  next: undefined,
  locals: Partial<App.Locals>,
) => unknown;

export interface SiteApp {
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** Writes what is only in memory, such as counted downloads. */
  close(): Promise<void>;
}

interface Options {
  pages: RenderPage;
  /** The folder of the build and its id; null in development, when Vite serves the files and no page is cached. */
  built: { folder: URL; id: string } | null;
}

/**
 * Routes every request of a site process, in this order: status endpoints, stored files, images, transfers of servers' files, the
 * API, built files, build info, prerendered pages, machine-readable documents (feeds, sitemaps), pages.
 */
export async function createApp(
  opened: AppContext & Pick<LazyQueue, 'queue'>,
  { pages, built }: Options,
): Promise<SiteApp> {
  const registry = createRegistry('site');
  const { settings, watch } = opened;
  const measured = withMetrics(opened.search, registry);
  const search = watch ? whileDatabaseAway(measured, watch, settings.PAGE_STALE_SECONDS * 1000) : measured;
  const { log, storage } = opened;
  const loop = watchEventLoop(log);
  const usage = usageCounter(opened, { countryOf: countries(settings.GEOIP_DATABASE, log) });
  const paying = { payouts: payoutProviders(settings, opened.sql), taxForms: taxFormProvider(settings) };
  const record = { ...opened, search, usage, ads: openAdNetwork(settings), ...paying };
  const requests = requestLog(log, registry, { clients: settings.LOG_CLIENTS === 'on' });
  const addressOf = addressReader(settings.TRUST_PROXY);
  const everywhere = headersOfAll(settings);
  const warnOfProxy = warnOfUntrustedProxy(settings.TRUST_PROXY, log, tellStaffOfProxy(opened));
  const mayRender = renderLimit(record);
  const image = await imageProxy(record);
  const card = await cards(record);
  const transfers = transferProxy(controlAddress(settings));
  const blocked = blockedFiles(record);
  const hidden = hiddenFiles(record);
  const gone = async (file: FileLocation) => {
    const deleted = await deletedVersionOfFile(opened.sql, file);
    return deleted && goneRefusal(deleted);
  };
  const stored = filesHandler({ storage, blocked, hidden, gone, usage, addressOf, log, settings });
  const fromBuild = built ? builtFiles(fileURLToPath(built.folder)) : () => false;
  const ofAds = adFiles(record.ads);
  const build = built ? shortBuild(built.id) : 'dev';
  const prerendered = built
    ? openStaticPages({ folder: fileURLToPath(new URL('../pages/', built.folder)), settings, build })
    : null;
  const machineAt = discoveryRouter(record, prerendered?.paths);
  const aboutBuild = builds({ id: build, health: () => health(record) });
  const freshness = built ? createFreshness({ services: record, database: watch }) : null;
  const store = built && freshness ? createPageCache({ services: record, build: built.id, freshness }) : null;
  if (store) measureStore(registry, store);
  const ready = freshness ? openApi({ services: record, freshness, registry, addressOf }) : null;
  const api = apiListener(ready?.fetch ?? createApi(record).fetch, settings.SITE_URL);
  gauge(registry, 'database_away', '1 while Postgres does not answer', () =>
    Number((watch?.awaySince() ?? null) !== null),
  );
  gauge(
    registry,
    'usage_waiting',
    'Downloads, views and playtime counted in memory and not written yet',
    usage.waiting,
  );
  const returned = signInReturn(record);
  const status = (req: IncomingMessage) => ({
    address: addressOf(req),
    metrics: settings.METRICS,
    registry,
    health: () => health(record),
    search: () => freshStatus(search),
  });

  async function route(req: IncomingMessage, res: ServerResponse, request: Watched): Promise<void> {
    const path = pathOf(req);
    const network = requester()?.network ?? '';
    request.kind = classify(req, path);
    if (request.kind === 'own' && (await handleStatusRequest(req, res, path, status(req)))) return;
    if (request.kind === 'file' && stored(req, res)) return;
    if (request.kind === 'image') {
      if (mayRender(res, network)) await image(req, res);
      return;
    }
    if (request.kind === 'card') {
      if (!refusesWrites(req, res) && mayRender(res, network)) await card(req, res);
      return;
    }
    if (request.kind === 'transfer') {
      await transfers(req, res);
      return;
    }
    if (request.kind === 'api') {
      if (!(await ready?.answers.serve(req, res))) await api(req, res);
      return;
    }
    request.kind = 'built';
    if (fromBuild(req, res, path) || ofAds(req, res, path) || (await aboutBuild(req, res, path))) return;
    request.kind = 'page';
    if (await returned(req, res)) return;
    const elsewhere = atOwnAddress(req, settings);
    if (elsewhere) {
      res.writeHead(307, { location: elsewhere, 'cache-control': 'no-store' }).end();
      return;
    }
    if (refusesWrites(req, res) || (await prerendered?.serve(req, res, path))) return;
    const page: PageRenderer = (from, to, shows) =>
      pages(from, to, undefined, { services: record, request_id: request.request_id, build, tag: shows });
    const machine = machineAt(path, page);
    if (machine) request.kind = 'machine';
    const render = machine ?? page;
    withCountryCurrency(req, settings.COUNTRY_HEADER);
    if (store) await store.serve(req, res, render, () => mayRender(res, network));
    else await render(req, res, () => {});
  }

  return {
    async handle(req, res) {
      req.url = targetOf(req.url);
      const request = requests.watch(req, res);
      warnOfProxy(req);
      const own = ['x-request-id', request.request_id, ...everywhere];
      if (ready?.answers.sendIfReady(req, res, own)) {
        request.kind = 'api';
        return;
      }
      for (let at = 0; at < own.length; at += 2) res.setHeader(own[at]!, own[at + 1]!);
      res.setHeader('x-content-type-options', 'nosniff');
      try {
        const address = addressOf(req);
        const client: Requester = {
          ...{ network: networkOf(address), address, left: leavingOf(res) },
          security: record.securityLog,
        };
        request.client = client;
        await onBehalfOf(client, () => route(req, res, request));
      } catch (error) {
        if (!res.headersSent && toRefused(error)?.code === 'database_away') return refuseForNow(res);
        log.error(
          { err: error, request_id: request.request_id, path: pathOf(req) },
          'An error occurred: a request failed; the client gets 500',
        );
        if (res.headersSent) res.destroy();
        else
          res
            .writeHead(500, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
            .end(`Something went wrong. Request ${request.request_id}.`);
      }
    },
    async close() {
      loop.close();
      store?.close();
      await freshness?.close();
      await blocked.close();
      await hidden.close();
      await usage.close();
    },
  };
}

function measureStore(registry: Registry, store: PageCache): void {
  const reported = {
    page_store_hits: ['Pages served from the page cache', () => store.stats().hits],
    page_store_misses: ['Pages rendered because they were not cached', () => store.stats().misses],
    page_store_pages: ['Pages cached in memory', () => store.stats().pages],
    page_store_bytes: ['Bytes of the pages cached in memory', () => store.stats().bytes],
    page_store_disk_bytes: ['Bytes of the pages cached on disk', () => store.stats().disk_bytes],
    page_store_live: ['1 while the page cache receives events', () => Number(store.stats().live)],
    page_store_stale: [
      '1 while saved copies are served because the database is away',
      () => Number(store.stats().stale),
    ],
  } as const;
  for (const [name, [help, read]] of Object.entries(reported)) gauge(registry, name, help, read);
}

/** What is no page and no API answers so while the database is away: images, and documents that failed midway. */
function refuseForNow(res: ServerResponse): void {
  const [status, text] = refusals.database_away;
  res
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '1',
    })
    .end(text);
}

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split(/[?#]/, 1)[0] ?? '/';

function classify(req: IncomingMessage, path: string): Kind {
  if (statusPaths.has(path)) return 'own';
  if (path === '/data/_image') return 'image';
  if (path.startsWith('/data/')) return 'file';
  if (path.startsWith('/og/')) return 'card';
  if (isTransferPath(path)) return 'transfer';
  return isApiPath(path) || (path === '/' && wantsApiRoot(accepting(req))) ? 'api' : 'page';
}

const accepting = ({ headers }: IncomingMessage): Request =>
  ({ headers: new Headers(headers.accept ? { accept: headers.accept } : {}) }) as Request;
