import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { Health } from './health.ts';

export interface Own {
  /** The caller's address; '' on a unix socket. */
  address: string;
  metrics: 'loopback' | 'all' | 'off';
  registry: Registry;
  health(): Promise<Health>;
  /** How the search is, on a process that answers searches. */
  search?: () => Promise<object>;
}

export const ownPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics', '/searchz']);

/**
 * `/healthz` (this process lives), `/readyz` (everything it needs does) and `/metrics`, the same on every process;
 * `/searchz` (how the search is) where searches are answered. Gives true when it took the request. Metrics are for
 * callers on this machine, and for none that a proxy passed on, unless METRICS says otherwise; `/searchz` always is.
 * Source: design, Conventions and Seams.
 */
export async function ownPages(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  own: Own,
): Promise<boolean> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  if (path === '/healthz') answer(res, 200, { alive: true });
  else if (path === '/readyz') {
    const found = await own.health();
    answer(res, found.ready ? 200 : 503, found);
  } else if (path === '/metrics' && mayMeasure(req, own)) {
    const text = await own.registry.metrics();
    res.writeHead(200, { 'content-type': own.registry.contentType, 'cache-control': 'no-store' }).end(text);
  } else if (path === '/searchz' && own.search && isNear(req, own)) answer(res, 200, await own.search());
  else return false;
  return true;
}

/** Whether the caller is on this machine and asked by itself. */
const isNear = ({ headers }: IncomingMessage, { address }: Own): boolean =>
  /^(127\.|::1$|$)/.test(address) && headers['x-forwarded-for'] === undefined;

const mayMeasure = (req: IncomingMessage, own: Own): boolean =>
  own.metrics === 'all' || (own.metrics === 'loopback' && isNear(req, own));

function answer(res: ServerResponse, status: number, value: unknown): void {
  res
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(value));
}
