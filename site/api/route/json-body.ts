import { Refused } from '#db/errors.ts';
import { settings } from '#db/runtime/env.ts';
import { type MinimumRate, openBody } from '../upload/upload-body.ts';

const jsonBytes = 2 * 1024 * 1024;

/**
 * The body as JSON of at most 2 MiB, whatever its content type says. Refuses `invalid_input` (no JSON) and what
 * `bodyText` refuses. Source: api-v2 §1.2.
 */
export async function jsonBody(request: Request, pace: Partial<MinimumRate> = {}): Promise<unknown> {
  const text = await bodyText(request, jsonBytes, pace);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused('invalid_input', { problem: 'the body is not valid JSON' });
  }
}

/**
 * The body as text of at most `limit_bytes`. Refuses `body_too_large`, `upload_incomplete` (the client disconnected),
 * `upload_too_slow` (it sends too slowly) and `invalid_input` (not UTF-8).
 */
export async function bodyText(
  request: Request,
  limit_bytes: number,
  pace: Partial<MinimumRate> = {},
): Promise<string> {
  const tooLarge = new Refused('body_too_large', { limit_bytes });
  if (Number(request.headers.get('content-length') ?? 0) > limit_bytes) throw tooLarge;
  const body = openBody(request, { bytes_per_second: settings().UPLOAD_MIN_BYTES_PER_SECOND, ...pace });
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
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Refused('invalid_input', { problem: 'the body is not text in UTF-8' });
  }
}
