import { Refused } from '#db/platform/errors.ts';

/** A provider's answers are small; what is larger is none. */
const max_bytes = 256 * 1024;

export interface Asking {
  /** The name of the provider, for messages. */
  provider: string;
  limit_ms: number;
}

/**
 * The text that a provider answers with, in time and of bounded size; redirects are not followed. Refuses `provider_away`
 * (no connection, too slow, status 5xx) and `provider_failed` (another status, too large).
 */
export async function boundedText(
  url: string | URL,
  init: RequestInit,
  { provider, limit_ms }: Asking,
): Promise<string> {
  const away = (cause: unknown) => Object.assign(new Refused('provider_away', { provider }), { cause });
  const signal = AbortSignal.timeout(limit_ms); // also ends a body that trickles
  let response: Response;
  try {
    response = await fetch(url, { ...init, redirect: 'manual', signal });
  } catch (error) {
    throw away(error);
  }
  if (response.status !== 200) {
    await response.body?.cancel();
    if (response.status >= 500) throw away(`status ${response.status}`);
    throw failed(provider, `status ${response.status}`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.byteLength;
      if (size > max_bytes) break;
      parts.push(part);
    }
  } catch (error) {
    throw away(error);
  }
  if (size > max_bytes) throw failed(provider, 'too large');
  return Buffer.concat(parts).toString('utf8');
}

/** `boundedText` as a JSON object. */
export async function boundedJson(
  url: string | URL,
  init: RequestInit,
  asking: Asking,
): Promise<Record<string, unknown>> {
  const headers = { accept: 'application/json', 'user-agent': 'Cairn', ...init.headers };
  return jsonObject(await boundedText(url, { ...init, headers }, asking), asking.provider);
}

/** `text` as a JSON object. Refuses `provider_failed`. */
export function jsonObject(text: string, provider: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // as any other nonsense
  }
  throw failed(provider, 'no JSON object');
}

/** The refusal for an answer that makes no sense; `why` is for the log. */
export const failed = (provider: string, why: unknown): Refused =>
  Object.assign(new Refused('provider_failed', { provider }), { cause: why });
