import { Refused } from '#db/platform/errors.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import { boundedJson } from '../upload/bounded-body.ts';
import { openBody } from '../upload/upload-body.ts';

const jsonBytes = 2 * 1024 * 1024;

interface BodyOptions {
  window_ms?: number;
  /** Called with the number of bytes once all have come. */
  received?(bytes: number): void;
}
type BodySettings = Pick<Settings, 'UPLOAD_MIN_BYTES_PER_SECOND'>;

/**
 * The body as JSON of at most 2 MiB, whatever its content type says. Refuses as `boundedJson` does, and what
 * `bodyText` refuses. Source: api-v2 §1.2.
 */
export async function jsonBody(
  request: Request,
  settings: BodySettings,
  options: BodyOptions = {},
): Promise<unknown> {
  const text = await bodyText(request, jsonBytes, settings, options);
  return boundedJson(text, 'the body');
}

/**
 * The body as text of at most `limit_bytes`. Refuses `body_too_large`, `upload_incomplete` (the client disconnected),
 * `upload_too_slow` (it sends too slowly; `window_ms` is the time over which that is measured) and `invalid_input` (not UTF-8).
 */
export async function bodyText(
  request: Request,
  limit_bytes: number,
  { UPLOAD_MIN_BYTES_PER_SECOND: bytes_per_second }: BodySettings,
  { window_ms, received }: BodyOptions = {},
): Promise<string> {
  const tooLarge = new Refused('body_too_large', { limit_bytes });
  if (Number(request.headers.get('content-length') ?? 0) > limit_bytes) throw tooLarge;
  const body = openBody(request, { bytes_per_second, window_ms });
  const chunks: Buffer[] = [];
  let size = 0;
  for (let chunk = await body.read(); chunk; chunk = await body.read()) {
    size += chunk.length;
    if (size > limit_bytes) {
      await body.drain();
      throw tooLarge;
    }
    chunks.push(chunk);
  }
  received?.(size);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Refused('invalid_input', { problem: 'the body is not text in UTF-8' });
  }
}
