import { pageLocaleHeader } from '../page-locale-header.ts';
import { $lastResponse } from './connection.store.ts';

/**
 * The API client for islands and scripts. Never throws: the result is `{ ok: true, data }` or `{ ok: false, error }`,
 * the same for requests over sockets (`servers/shared/request.ts`).
 */
export interface ApiError {
  /** HTTP status; 0 without an answer. */
  status: number;
  /** The code of a refusal; `offline` without an answer. */
  code: string;
  /** Text for people, in the language of the page; empty when the answer was not ours. */
  description: string;
  details: Record<string, unknown>;
}
export type ApiResult<T> = { ok: true; data: T } | { ok: false; error: ApiError };

/** The result of a request without an answer. */
export const offline: ApiResult<never> = {
  ok: false,
  error: { status: 0, code: 'offline', description: '', details: {} },
};

export interface Options {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  json?: unknown;
  signal?: AbortSignal;
  /** Longest wait before the one retry, in milliseconds. */
  max_retry_wait_ms?: number;
}

/** Statuses worth a retry when the request had no body. Source: specification §7. */
const retry = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/** Calls `path` (`/v2/...`) on our own origin with the session cookie and gives the JSON. */
export async function apiFetch<T>(path: string, options: Options = {}): Promise<ApiResult<T>> {
  const { method = 'GET', json, signal = null, max_retry_wait_ms = 3000 } = options;
  const headers: Record<string, string> = { [pageLocaleHeader]: document.documentElement.lang };
  const init: RequestInit = { method, signal, headers, credentials: 'same-origin' };
  if (json !== undefined) {
    init.body = JSON.stringify(json);
    headers['content-type'] = 'application/json';
  }
  const retries = method === 'GET';
  let answer = await sent(path, init);
  if (retries && answer && retry.has(answer.status)) {
    const wait_ms = Number(answer.headers.get('retry-after') ?? 0.3) * 1000;
    if (wait_ms <= max_retry_wait_ms) {
      await new Promise((resolve) => setTimeout(resolve, wait_ms));
      answer = await sent(path, init);
    }
  }
  if (!signal?.aborted)
    $lastResponse.set({
      status: answer?.status ?? 0,
      retry_after_s: Number(answer?.headers.get('retry-after')) || null,
    });
  if (!answer) return offline;
  const data = await read(answer);
  return answer.ok ? { ok: true, data: data as T } : { ok: false, error: errorOf(answer.status, data) };
}

const sent = (path: string, init: RequestInit): Promise<Response | null> =>
  fetch(path, init).catch(() => null);

const read = (answer: Response): Promise<unknown> => answer.json().catch(() => null);

function errorOf(status: number, data: unknown): ApiError {
  const { error, description, details } = Object(data) as Record<string, unknown>;
  const more = Object(details) as Record<string, unknown>;
  const fallback = status === 404 ? 'not_found' : 'internal_error';
  return {
    status,
    code: String(more.code ?? error ?? fallback),
    description: String(description ?? ''),
    details: more,
  };
}
