import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { TransferRefusal } from '#control/protocol/transfers.ts';
import { type RefusalCode, Refused, refusals } from '#db/platform/errors.ts';

/** Why a request at the port is refused, as the control plane says it. */
export class PortRefusal extends Error {
  readonly why: TransferRefusal;

  constructor(why: TransferRefusal) {
    super(why.description);
    this.why = why;
  }
}

/** Without the control plane nobody knows who may do what. It says the same as the site does then. */
export const planeAway = (): PortRefusal =>
  new PortRefusal({
    ...{ status: 503, error: 'busy' },
    description: 'The control plane isn’t responding right now.',
  });

/** The rest of a body that nobody wants is read for so long, so that its client hears the answer. */
const rest_ms = 5_000;
const retry_after_s = '5';

/** Answers a refusal with its code and text, as the site does. What has begun already is cut off, so that it does not look complete. */
export function sendRefusal(res: ServerResponse, error: unknown, log: Logger): void {
  if (res.headersSent || res.destroyed) return void res.destroy();
  const { status, ...said } = refusalOf(error, log);
  const { req } = res;
  const unread = hasBody(req) && !req.complete;
  res
    .writeHead(status, {
      ...{ 'content-type': 'application/json', 'cache-control': 'no-store' },
      ...(status === 503 ? { 'retry-after': retry_after_s } : {}),
      ...(unread ? { connection: 'close' } : {}),
    })
    .end(JSON.stringify(said));
  if (!unread) return;
  req.resume();
  const cut = setTimeout(() => req.destroy(), rest_ms).unref();
  req.once('close', () => clearTimeout(cut));
}

/** Whether a request has a body. Source: RFC 9112 §6.3. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** A refusal as it is sent; anything else is a bug, logged here once. */
function refusalOf(error: unknown, log: Logger): TransferRefusal {
  if (error instanceof PortRefusal) return error.why;
  const { code, data } = Object(error) as { code?: unknown; data?: object };
  const known = typeof code === 'string' && Object.hasOwn(refusals, code);
  if (!known) log.warn({ err: error }, 'A transfer at the port failed');
  const refused = known ? new Refused(code as RefusalCode, { ...data }) : new Refused('operation_failed');
  return { status: refused.status, error: refused.code, description: refused.message };
}
