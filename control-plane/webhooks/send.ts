import type { Attempt } from '#db/messages/webhooks/outbox.ts';
import { AddressRefused, type publicRequester } from '#db/platform/runtime/public-request.ts';
import type { Call } from './call.ts';

/** A whole call takes at most so long, in milliseconds. */
const patience_ms = 15_000;
/** Bytes of an answer that are read and that are kept. */
const max_read = 64 * 1024;
const max_kept = 2 * 1024;
const max_wait_ms = 24 * 3_600_000;

/**
 * Sends a call and says what came of it; never throws. An answer counts by its status alone, however long it goes on; one
 * of 200 to 299 means that it arrived. Redirects are not followed.
 */
export async function sendCall(
  request: ReturnType<typeof publicRequester>,
  address: string,
  { headers, body }: Call,
  { timeout_ms = patience_ms } = {},
): Promise<Attempt> {
  const began = performance.now();
  const took_ms = () => Math.round(performance.now() - began);
  const failed = { status: null, answer: '', gone: false, wait_ms: 0 };
  const signal = AbortSignal.timeout(timeout_ms);
  try {
    const answer = await request(new URL(address), { method: 'POST', headers, body, signal });
    const { statusCode: status } = answer;
    const text = await beginningOf(answer.body);
    const retry_after = Number(answer.headers['retry-after']) * 1000;
    const problem =
      status >= 200 && status < 300 ? null : status >= 300 && status < 400 ? 'redirect' : 'status';
    const wait_ms = retry_after > 0 ? Math.min(retry_after, max_wait_ms) : 0;
    return { status, answer: text, problem, gone: status === 410, wait_ms, took_ms: took_ms() };
  } catch (error) {
    const problem =
      error instanceof AddressRefused
        ? 'not_public'
        : signal.aborted || isTimeout(error)
          ? 'too_slow'
          : 'unreachable';
    return { ...failed, problem, took_ms: took_ms() };
  }
}

const isTimeout = (error: unknown): boolean =>
  /TIMEOUT/.test(String((error as { code?: unknown }).code)) || (error as Error).name === 'TimeoutError';

/** The first characters of a body as text that a table and a screen can take; stops reading early. */
async function beginningOf(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= max_read) break;
    }
  } catch {} // what came before it broke off is kept
  body.destroy();
  return Buffer.concat(chunks)
    .subarray(0, max_kept)
    .toString('utf8')
    .replace(/\p{Cc}+/gu, ' ');
}
