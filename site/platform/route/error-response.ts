import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { refusalDescription } from '#content/refusal-description.ts';
import { refusalStep } from '#content/refusal-steps.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';
import { pageLocaleHeader } from '../paths/page-locale-header.ts';
import { withoutMail } from './no-mail.ts';
import { statusAt } from './refusals.ts';
import type { ApiEnv } from './types.ts';

const general: Record<number, string> = {
  400: 'request_error',
  401: 'auth_error',
  404: 'not_found',
  409: 'conflict',
  410: 'gone',
  412: 'precondition_failed',
  413: 'request_error',
  424: 'failed_dependency',
  428: 'precondition_required',
  429: 'ratelimit_error',
  451: 'unavailable_for_legal_reasons',
  503: 'busy',
  507: 'storage_full',
};
const creating: Record<number, string> = {
  ...general,
  400: 'invalid_input',
  401: 'unauthorized',
  413: 'invalid_input',
};
/** Refusals that have a code of their own in the API, in create routes. Source: api-v2 §1.5; api-v3 §4. */
const named: Record<string, string> = {
  limit_reached: 'limit_reached',
  invalid_image: 'invalid_image',
  invalid_credentials: 'invalid_credentials',
  username_taken: 'username_taken',
  username_confusable: 'username_taken',
  email_taken: 'duplicate_email',
  password_weak: 'weak_password',
  password_breached: 'weak_password',
};

/**
 * The response for anything thrown in a route: refusals as `{error, description, details}` with the API's codes, our
 * own code in `details.code` and what `details` adds; any other error is a bug, logged once and answered without detail.
 * In v2 a missing resource is 404 with an empty body, and one that is gone 404 with the reason. Requests of our own pages name their language: they get the
 * description and the next step (`details.step`) in it, always with a body, and never from a cache. Source: api-v2 §1.5.
 */
export function errorResponse(
  c: Context<ApiEnv>,
  error: unknown,
  { create_errors, details = {} }: { create_errors: boolean; details?: Record<string, unknown> },
): Response {
  const refused = withoutMail(toRefused(error), c.get('services').settings);
  const locale = c.req.header(pageLocaleHeader);
  if (locale !== undefined) c.header('cache-control', 'private, no-store');
  const translated = locale === undefined ? null : refusalDescription(refused, locale);
  if (!refused) {
    const request_id = c.get('request_id') ?? randomUUID();
    c.get('services').log.error(
      { err: error, request_id, path: c.req.path },
      'An error occurred: a request failed; the client gets 500',
    );
    return c.json(
      {
        error: 'internal_error',
        description: translated ?? `Something went wrong on our side. Request ${request_id}.`,
      },
      500,
    );
  }
  const { code, message, data } = refused;
  const status = statusAt(c.req.path, refused.status);
  if (status === 429 || status === 503) c.header('retry-after', String(data.retry_after_seconds ?? 1));
  const isEmpty = refused.status === 404 && c.req.path.startsWith('/v2/') && code !== 'route_not_found';
  if (isEmpty && translated === null) return c.body(null, 404);
  const codes = create_errors ? creating : general;
  const name = (create_errors && named[code]) || (codes[status] ?? 'request_error');
  const description = translated ?? message;
  const step = locale === undefined ? null : refusalStep(code, locale, data);
  const detailed = { code, ...data, ...(step && { step }), ...details };
  return c.json({ error: name, description, details: detailed }, status as 400);
}
