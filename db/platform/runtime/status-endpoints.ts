import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';

/** Response of `/readyz`: 200 if and only if `ready`; `missing` lists what is not ready. */
export interface Health {
  ready: boolean;
  database: boolean;
  migrated: boolean;
  seeded: boolean;
  storage: boolean;
  search: string | null;
  missing: string[];
}

export interface StatusOptions {
  /** The client's address; '' on a unix socket. */
  address: string;
  metrics: 'loopback' | 'all' | 'off';
  registry: Registry;
  health(): Promise<Health>;
  /** Search status, on processes that answer searches. */
  search?: () => Promise<object>;
}

export const statusPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics', '/searchz']);

/**
 * Handles `/healthz` (the process is alive), `/readyz` (all its dependencies work) and `/metrics`, the same in every
 * process, and `/searchz` (search status) where searches are answered. Gives true if it handled the request.
 * `/metrics` is for loopback callers that did not come through a proxy, unless METRICS says otherwise; `/searchz`
 * always is.
 * Source: design §3.9, §4.15.
 */
export async function handleStatusRequest(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  options: StatusOptions,
): Promise<boolean> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  if (path === '/healthz') sendJson(res, 200, { alive: true });
  else if (path === '/readyz') {
    const found = await options.health();
    sendJson(res, found.ready ? 200 : 503, found);
  } else if (path === '/metrics' && mayReadMetrics(req, options)) {
    const text = await options.registry.metrics();
    res
      .writeHead(200, { 'content-type': options.registry.contentType, 'cache-control': 'no-store' })
      .end(text);
  } else if (path === '/searchz' && options.search && isLocal(req, options))
    sendJson(res, 200, await options.search());
  else return false;
  return true;
}

/** Whether the caller is on this machine and did not come through a proxy. */
const isLocal = ({ headers }: IncomingMessage, { address }: StatusOptions): boolean =>
  /^(127\.|::1$|$)/.test(address) && headers['x-forwarded-for'] === undefined;

const mayReadMetrics = (req: IncomingMessage, options: StatusOptions): boolean =>
  options.metrics === 'all' || (options.metrics === 'loopback' && isLocal(req, options));

function sendJson(res: ServerResponse, status: number, value: unknown): void {
  res
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(value));
}
