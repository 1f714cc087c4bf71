import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { Health } from './health.ts';

export interface Own {
  /** The caller's address; '' on a unix socket. */
  address: string;
  metrics: 'loopback' | 'all' | 'off';
  registry: Registry;
  health(): Promise<Health>;
}

/**
 * `/healthz` (this process lives), `/readyz` (everything it needs does) and `/metrics`, the same on every process.
 * Gives true when it took the request. Metrics are for callers on this machine, and for none that a proxy passed on,
 * unless METRICS says otherwise. Source: design, Conventions and Seams.
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
  } else return false;
  return true;
}

const mayMeasure = ({ headers }: IncomingMessage, { metrics, address }: Own): boolean =>
  metrics === 'all' ||
  (metrics === 'loopback' && /^(127\.|::1$|$)/.test(address) && headers['x-forwarded-for'] === undefined);

function answer(res: ServerResponse, status: number, value: unknown): void {
  res
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(value));
}
