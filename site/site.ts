import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { downloadCounter } from '#db/files/downloads.ts';
import { health } from '#db/health.ts';
import { createRegistry } from '#db/metrics.ts';
import { ownPages } from '#db/own-pages.ts';
import type { OpenRecord } from '#db/record.ts';
import { isApiPath, wantsApiRoot } from './api/about.ts';
import { createApi } from './api/app.ts';
import { addressReader } from './http/address.ts';
import { builtFiles } from './http/built-files.ts';
import { filesHandler } from './http/files.ts';
import { imageProxy } from './http/image-proxy.ts';
import { type Kind, requestLog, type Watched } from './http/request-log.ts';

/** Astro's handler; the last argument becomes `Astro.locals`. */
export type Pages = (
  req: IncomingMessage,
  res: ServerResponse,
  next: undefined,
  locals: Partial<App.Locals>,
) => unknown;

export interface Site {
  answer(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** Writes what is only in memory: counted downloads and the like. */
  close(): Promise<void>;
}

/**
 * Everything a process of the site answers, in this order: what it says about itself, stored files, built files, the
 * API, pages. `built` is the folder of the build; null while developing, when Vite serves instead.
 */
export async function createSite(
  record: OpenRecord,
  { pages, built }: { pages: Pages; built: URL | null },
): Promise<Site> {
  const { settings, log, storage } = record;
  const registry = createRegistry('site');
  const requests = requestLog(log, registry);
  const addressOf = addressReader(settings.TRUST_PROXY);
  const api = getRequestListener(createApi(record).fetch);
  const downloads = downloadCounter(record);
  const image = await imageProxy(record);
  const stored = filesHandler({ storage, downloads, addressOf });
  const fromBuild = built ? builtFiles(fileURLToPath(built)) : () => false;
  const own = (req: IncomingMessage) => ({
    address: addressOf(req),
    metrics: settings.METRICS,
    registry,
    health: () => health(record),
  });

  async function route(req: IncomingMessage, res: ServerResponse, request: Watched): Promise<void> {
    const path = pathOf(req);
    request.kind = kindOf(req, path);
    if (request.kind === 'own' && (await ownPages(req, res, path, own(req)))) return;
    if (request.kind === 'file' && stored(req, res)) return;
    if (request.kind === 'image') {
      await image(req, res);
      return;
    }
    if (request.kind === 'api') {
      await api(req, res);
      return;
    }
    request.kind = 'built';
    if (fromBuild(req, res, path)) return;
    request.kind = 'page';
    await pages(req, res, undefined, {
      services: record,
      request_id: request.request_id,
      shows: () => {},
    });
  }

  return {
    async answer(req, res) {
      const request = requests.watch(req, res);
      try {
        await route(req, res, request);
      } catch (error) {
        log.error({ err: error, request_id: request.request_id, path: pathOf(req) }, 'A request failed');
        if (res.headersSent) res.destroy();
        else
          res
            .writeHead(500, { 'content-type': 'text/plain' })
            .end(`Something went wrong. Request ${request.request_id}.`);
      }
    },
    close: () => downloads.close(),
  };
}

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split(/[?#]/, 1)[0] ?? '/';

function kindOf(req: IncomingMessage, path: string): Kind {
  if (path === '/healthz' || path === '/readyz' || path === '/metrics') return 'own';
  if (path === '/data/_image') return 'image';
  if (path.startsWith('/data/')) return 'file';
  return isApiPath(path) || (path === '/' && wantsApiRoot(accepting(req))) ? 'api' : 'page';
}

const accepting = ({ headers }: IncomingMessage): Request =>
  ({ headers: new Headers(headers.accept ? { accept: headers.accept } : {}) }) as Request;
