import type { Context } from 'hono';
import type { z } from 'zod';
import { type RefusalCode, Refused } from '#db/errors.ts';
import { toRefused } from '#db/to-refused.ts';
import { isSameOrigin, sessionCookie } from '../../http/cookies.ts';
import { localPath } from '../../http/local-path.ts';
import { parse } from './endpoint.ts';
import { errorResponse } from './error-response.ts';
import { bodyText } from './json-body.ts';
import type { Api, ApiEnv } from './types.ts';

const limit_bytes = 16 * 1024;

export interface FormContext<F> {
  c: Context<ApiEnv>;
  fields: F;
  now: Date;
}

/** The result of a form: cookies to set and the JSON answer for scripts. */
export interface FormResult {
  cookies?: string[];
  /** The redirect of a plain form instead of the requested one: a path of ours. */
  to?: string;
  answer: Record<string, unknown>;
}

/**
 * A form of our own pages, sent by the browser or by a script. Plain forms are redirected (303) to the local path in
 * `redirect`, or back to `page` with `?error=code` (a function of the fields gives the full target); JSON is answered
 * with JSON. Refuses `cross_site` for forms of other sites (CSRF), so that no other site can sign a user in or out.
 */
export function formRoute<S extends z.ZodType>(
  api: Api,
  path: string,
  {
    page,
    shape,
    submit,
  }: {
    page: string | ((given: Record<string, unknown>, code: RefusalCode) => string);
    shape: S;
    submit(call: FormContext<z.output<S>>): Promise<FormResult>;
  },
): void {
  api.post(path, async (c) => {
    const { settings, now } = c.get('services');
    const asJson = c.req.header('content-type')?.startsWith('application/json') ?? false;
    c.header('cache-control', 'private, no-store');
    let redirect: unknown;
    let given: Record<string, unknown> = {};
    try {
      if (isForeign(c.req.raw, settings.SITE_URL)) throw new Refused('cross_site');
      given = await fieldsOf(c.req.raw, asJson);
      redirect = given.redirect;
      const fields = parse(shape, given) as z.output<S>;
      const done = await submit({ c, fields, now: now() });
      for (const text of done.cookies ?? []) c.header('set-cookie', text, { append: true });
      return asJson ? c.json(done.answer) : c.redirect(done.to ?? whereTo(redirect, settings.SITE_URL), 303);
    } catch (error) {
      const refused = toRefused(error);
      if (asJson || !refused) return errorResponse(c, error, { create_errors: false });
      if (typeof page === 'function') return c.redirect(page(given, refused.code), 303);
      const query = new URLSearchParams({ error: refused.code });
      if (typeof redirect === 'string') query.set('redirect', whereTo(redirect, settings.SITE_URL));
      return c.redirect(`${page}?${query}`, 303);
    }
  });
}

/**
 * Whether the browser reports another origin; for a form that changes a session, a missing origin counts as another.
 */
function isForeign(request: Request, siteUrl: string): boolean {
  const claims = request.headers.has('sec-fetch-site') || request.headers.has('origin');
  return (claims || sessionCookie(request) !== null) && !isSameOrigin(request, siteUrl);
}

// the home page: there is no dashboard yet (specification §4)
const whereTo = (redirect: unknown, siteUrl: string): string =>
  localPath(typeof redirect === 'string' ? redirect : null, siteUrl, '/');

async function fieldsOf(request: Request, asJson: boolean): Promise<Record<string, unknown>> {
  const text = await bodyText(request, limit_bytes);
  if (!asJson) return Object.fromEntries(new URLSearchParams(text));
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    throw new Refused('invalid_input', { problem: 'the body is not valid JSON' });
  }
}
