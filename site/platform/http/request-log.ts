import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { durations, gauge } from '#db/platform/runtime/metrics.ts';
import type { Requester } from '#db/platform/runtime/requester.ts';
import { loggedPath } from './transfer-proxy.ts';

/** The class of a request, as in metrics and logs. */
export type Kind = 'own' | 'built' | 'file' | 'image' | 'card' | 'transfer' | 'api' | 'machine' | 'page';

export interface Watched {
  request_id: string;
  kind: Kind;
  /** Who asks, once that is known. */
  client?: Readonly<Requester>;
}

const quiet: ReadonlySet<Kind> = new Set(['own', 'built', 'file', 'image', 'card']);

/**
 * Writes one log line and one measurement when a request has ended, and counts the running ones. Lines contain the path
 * but never the query, which may carry a token, nor the secret of an upload; address and account only where the operator asked for them (`clients`). Health checks, polled every second, are logged at
 * `debug`.
 */
export function requestLog(log: Logger, registry: Registry, { clients }: { clients: boolean }) {
  const measured = durations(registry, 'http_request_seconds', 'Requests from first byte to last', [
    'kind',
    'status',
  ]);
  let running = 0;
  gauge(registry, 'http_requests_running', 'Requests being answered', () => running);
  return {
    running: () => running,
    watch(req: IncomingMessage, res: ServerResponse): Watched {
      const began = performance.now();
      const watched: Watched = { request_id: randomUUID(), kind: 'page' };
      running += 1;
      res.once('close', () => {
        running -= 1;
        const duration_ms = Math.round((performance.now() - began) * 10) / 10;
        const { request_id, kind } = watched;
        measured.observe({ kind, status: `${Math.floor(res.statusCode / 100)}xx` }, duration_ms / 1000);
        const level = quiet.has(kind) ? 'debug' : 'info';
        if (!log.isLevelEnabled(level)) return;
        const path = loggedPath((req.url ?? '').split('?', 1)[0]!);
        const cut = res.writableFinished ? {} : { cut_off: true };
        const { method } = req;
        const { address, user_id } = (clients && watched.client) || {};
        const who = clients ? { address, user_id } : {};
        log[level](
          { request_id, kind, method, path, status: res.statusCode, duration_ms, ...cut, ...who },
          'Request answered',
        );
      });
      return watched;
    },
  };
}
