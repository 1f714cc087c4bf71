import { pageLocaleHeader } from '../paths/page-locale-header.ts';
import type { ApiCalls, PathValues } from './api-calls.ts';
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

interface Options {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | undefined;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, with its own type. */
  blob?: Blob;
  signal?: AbortSignal;
  /** Longest wait before the one retry, in milliseconds. */
  max_retry_wait_ms?: number;
}

/** Statuses worth a retry when the request had no body. Source: specification §7. */
const retry = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/** A path of ours: no other host, no empty parts, none of dots alone, which would lead elsewhere. */
const valid = /^\/(?![/\\])([^/\\?#]+(\/(?!\?|$)|(?=\?|$)))*(\?[^#]*)?$/;
const dots = /^[^?]*\/\.\.?(\/|\?|$)|[\0-\x20]/;
const invalid: ApiResult<never> = {
  ok: false,
  error: { status: 0, code: 'invalid_format', description: 'Invalid format', details: {} },
};
const isValid = (path: string): boolean => valid.test(path) && !dots.test(path);

type CallOptions<R extends keyof ApiCalls> = Omit<Options, 'method'> & {
  query?: Record<string, string> | URLSearchParams;
} & (PathValues<R> extends never ? unknown : { path: Record<PathValues<R>, string> });

/**
 * Calls a route of the API, such as `GET /v2/project/{id}`, whose types are those that the server answers with. A value that
 * would lead to another path is refused as 'Invalid format'. Source: specification §7, §8.
 */
export function apiFetch<R extends keyof ApiCalls>(
  route: R,
  ...[options]: PathValues<R> extends never ? [CallOptions<R>?] : [CallOptions<R>]
): Promise<ApiResult<ApiCalls[R]>> {
  const {
    path = {},
    query,
    ...rest
  } = (options ?? {}) as Options & {
    path?: Record<string, string>;
    query?: Record<string, string>;
  };
  const [method, shape] = route.split(' ') as [Options['method'], string];
  const to = shape.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  return sendTo(query ? `${to}?${new URLSearchParams(query)}` : to, { ...rest, method });
}

/** The answer to a GET of a path of ours that is no API, such as a part of a page; null without one. */
export const requestFrom = (path: string, init: RequestInit = {}): Promise<Response | null> =>
  isValid(path) ? fetch(path, init).catch(() => null) : Promise.resolve(null);

/**
 * Sends JSON to a path that the page names, such as the action of a form, with the session cookie, and gives the JSON of the
 * answer. Without a body it tries once more where that may help; of a DELETE a 404 then means that the first one worked.
 */
export async function sendTo<T>(path: string, options: Options = {}): Promise<ApiResult<T>> {
  if (!isValid(path)) return invalid;
  const { method = 'GET', json, blob, signal = null, max_retry_wait_ms = 3000 } = options;
  const headers: Record<string, string> = { [pageLocaleHeader]: document.documentElement.lang };
  const init: RequestInit = { method, signal, headers, credentials: 'same-origin' };
  if (json !== undefined) {
    init.body = JSON.stringify(json);
    headers['content-type'] = 'application/json';
  }
  if (blob) init.body = blob;
  let answer = await requestFrom(path, init);
  let isDone = false;
  if (!init.body && answer && retry.has(answer.status)) {
    const wait_ms = Number(answer.headers.get('retry-after') ?? 0.3) * 1000;
    if (wait_ms <= max_retry_wait_ms) {
      await new Promise((resolve) => setTimeout(resolve, wait_ms));
      answer = await requestFrom(path, init);
      isDone = method === 'DELETE' && answer?.status === 404;
    }
  }
  if (!signal?.aborted)
    $lastResponse.set({
      status: answer?.status ?? 0,
      retry_after_s: Number(answer?.headers.get('retry-after')) || null,
    });
  if (!answer) return offline;
  if (isDone) return { ok: true, data: null as T };
  return resultOf<T>(answer.status, await read(answer));
}

/** The result of an answer with this status and JSON. */
export const resultOf = <T>(status: number, data: unknown): ApiResult<T> =>
  status >= 200 && status < 300 ? { ok: true, data: data as T } : { ok: false, error: errorOf(status, data) };

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
