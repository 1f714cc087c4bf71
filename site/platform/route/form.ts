import type { Context } from 'hono';
import { z } from 'zod';
import { messages } from '#content/messages.ts';
import { type RefusalStep, refusalStep } from '#content/refusal-steps.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import { formCookie } from '../forms/form-cookie.ts';
import {
  errorsOfRefusal,
  errorsOfShape,
  type FormDefinition,
  type FormError,
} from '../forms/form-definition.ts';
import { resumed } from '../forms/form-state.ts';
import { cookie } from '../http/cookies.ts';
import { localPath } from '../http/local-path.ts';
import { confirmPath } from '../paths/confirm-path.ts';
import { pageLocaleHeader } from '../paths/page-locale-header.ts';
import { signInPath } from '../paths/sign-in-path.ts';
import { stepPath } from '../paths/step-path.ts';
import { negotiate } from '../text/languages.ts';
import { boundedForm, boundedJson } from '../upload/bounded-body.ts';
import { jsonAnswer, parse } from './endpoint.ts';
import { errorResponse } from './error-response.ts';
import { type ActorOf, assertFromOwnPage, authorize, type Needs } from './guard.ts';
import { bodyText } from './json-body.ts';
import { withoutMail } from './no-mail.ts';
import type { Api, ApiEnv } from './types.ts';
import { countWritten } from './written-bytes.ts';

/** The largest body of a form that says nothing else (`limit_bytes`). */
const usual_bytes = 16 * 1024;

/**
 * The largest body of a form whose long text has `characters`: browsers send each of the four bytes of a character as three
 * signs.
 */
export const bytesOfText = (characters: number): number => characters * 12 + usual_bytes;

/** The fields as they were sent. */
export type GivenFields = Record<string, unknown>;

export interface FormContext<F, A> {
  c: Context<ApiEnv>;
  actor: A;
  fields: F;
  now: Date;
}

/** The result of a form: cookies to set and the JSON answer for scripts. */
export interface FormResult {
  cookies?: string[];
  /** The redirect instead of the requested one: a path of ours. */
  to?: string;
  /** An address elsewhere to redirect to instead: the program on this computer that waits for a sign-in. */
  away?: string;
  /** The fields as they were before, so that the page can offer to undo (`savedForm`). */
  previous?: Record<string, string>;
  answer?: Record<string, unknown>;
}

export interface FormRoute<S extends z.ZodType, N extends Needs> {
  needs: N;
  /** The largest body, for a form with long texts. */
  limit_bytes?: number;
  /** The page of the form, which a refused plain form is redirected to. */
  page: string | ((given: GivenFields, code: string) => string);
  /** Whether the user corrects a refusal on the page that `page` gives, not on the page with the form. */
  elsewhere?(code: string): boolean;
  run(call: FormContext<z.output<S>, ActorOf<N>>): Promise<FormResult>;
}

/**
 * The route of a form of our own pages: checks the fields, then the caller, then runs. A plain form is redirected (303)
 * to `to` or to the local path in its field `redirect`; a refused one back to `page` with `?error=code`, its errors and
 * values in a cookie (`formCookie`); `authentication_required` leads to sign in and back, `proof_required` to the page that
 * asks for proof and back with what was typed. JSON is answered with JSON: the
 * redirect in `to`, errors of fields in `details.fields`, in the language of the page. Refuses as `assertFromOwnPage`
 * does, before anything is read.
 */
export function formRoute<S extends z.ZodType, N extends Needs>(
  api: Api,
  form: FormDefinition<S>,
  { needs, limit_bytes = usual_bytes, page, elsewhere, run }: FormRoute<S, N>,
): void {
  api.post(form.action.replace('/_internal', ''), async (c) => {
    const { settings, now } = c.get('services');
    const asJson = c.req.header('content-type')?.startsWith('application/json') ?? false;
    c.header('cache-control', 'private, no-store');
    let given: GivenFields = {};
    let written = 0;
    const received = (bytes: number) => {
      written = bytes;
    };
    try {
      assertFromOwnPage(c.req.raw, settings.SITE_URL);
      given = await fieldsOf(c.req.raw, { asJson, limit_bytes, received }, settings);
      const fields = parse(form.shape, given) as z.output<S>;
      const actor = await authorize(c, needs, now());
      if (actor) await countWritten(c.get('services'), actor as Actor, written);
      const done = await run({ c, actor, fields, now: now() });
      for (const text of done.cookies ?? []) c.header('set-cookie', text, { append: true });
      if (done.previous) {
        const undone = { action: form.action, errors: [], values: done.previous };
        c.header('set-cookie', formCookie(undone, settings.SITE_URL), { append: true });
      }
      const to =
        done.away ?? (done.to ? withLanguage(done.to, given) : whereTo(given.redirect, settings.SITE_URL));
      return asJson ? jsonAnswer(c, { ...done.answer, to }) : c.redirect(to, 303);
    } catch (error) {
      const refused = withoutMail(toRefused(error), settings);
      if (!refused) return errorResponse(c, error, { create_errors: false });
      const { t, locale } = messages(localeOf(c.req.raw, given));
      const errors =
        refused.cause instanceof z.ZodError
          ? errorsOfShape(form, refused.cause, t)
          : errorsOfRefusal(form, refused, t);
      const values = typedValues(form, given);
      if (refused.code === 'proof_required') {
        const back = typeof page === 'function' ? page(given, refused.code) : page;
        const kept = formCookie({ action: form.action, errors: [], values }, settings.SITE_URL);
        c.header('set-cookie', kept, { append: true });
        const to = withLanguage(
          confirmPath(refusedPath(back, refused.code, given, settings.SITE_URL)),
          given,
        );
        return asJson
          ? errorResponse(c, refused, { create_errors: false, details: { to } })
          : c.redirect(to, 303);
      }
      const details: Record<string, unknown> = { fields: errors };
      const stays = asJson && !elsewhere?.(refused.code);
      const back = typeof page === 'function' ? page(given, refused.code) : page;
      const step = refusalStep(refused.code, locale, refused.data);
      const goesOn =
        step !== null &&
        addStep(errors, {
          ...step,
          to: stepPath(step.to, refusedPath(back, resumed, given, settings.SITE_URL)),
        });
      const keep = (said: FormError[]) =>
        c.header(
          'set-cookie',
          formCookie({ action: form.action, errors: said, values }, settings.SITE_URL, goesOn),
          { append: true },
        );
      if (stays) {
        if (goesOn) keep([]);
        return errorResponse(c, refused, { create_errors: false, details });
      }
      if (refused.code === 'authentication_required')
        return c.redirect(withLanguage(signInPath(withLanguage(back, given)), given), 303);
      keep(errors);
      const to = refusedPath(back, refused.code, given, settings.SITE_URL);
      if (!asJson) return c.redirect(to, 303);
      return errorResponse(c, refused, { create_errors: false, details: { ...details, to } });
    }
  });
}

/** Puts the next step of a refusal beside what is said of the form as a whole; false where nothing is. */
function addStep(errors: FormError[], step: RefusalStep): boolean {
  const general = errors.find(({ field }) => field === null);
  if (general) general.step = step;
  return general !== undefined;
}

/** The page of a refused form, with the redirect that it asked for. */
function refusedPath(page: string, code: string, given: GivenFields, siteUrl: string): string {
  const query: Record<string, string> = { error: code };
  if (typeof given.redirect === 'string') query.redirect = whereTo(given.redirect, siteUrl);
  return withLanguage(withQuery(page, query), given);
}

export const withQuery = (path: string, query: Record<string, string>): string =>
  `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`;

/** Keeps the language that the URL of the page asked for. */
export const withLanguage = (path: string, { hl }: GivenFields): string =>
  typeof hl !== 'string' || hl === '' || /[?&]hl=/.test(path)
    ? path
    : withQuery(path, { hl: hl.slice(0, 35) });

/** The language of the page that sent the form. */
export const localeOf = (request: Request, { hl }: GivenFields): string =>
  negotiate({
    hl: request.headers.get(pageLocaleHeader) ?? (typeof hl === 'string' ? hl : null),
    cookie: cookie(request, 'locale'),
    accept: request.headers.get('accept-language'),
  }).tag;

/** The values to fill in again, without passwords and other secrets. */
const typedValues = ({ fields, secret = [] }: FormDefinition, given: GivenFields): Record<string, string> =>
  Object.fromEntries(
    fields
      .filter(
        (name) => !name.includes('password') && !secret.includes(name) && typeof given[name] === 'string',
      )
      .map((name) => [name, given[name] as string]),
  );

/** Where a form leads that names no page. Source: specification §4. */
const default_target = '/dashboard';

const whereTo = (redirect: unknown, siteUrl: string): string =>
  localPath(typeof redirect === 'string' ? redirect : null, siteUrl, default_target);

async function fieldsOf(
  request: Request,
  { asJson, limit_bytes, received }: { asJson: boolean; limit_bytes: number; received(bytes: number): void },
  settings: Settings,
): Promise<GivenFields> {
  const text = await bodyText(request, limit_bytes, settings, { received });
  if (!asJson) return boundedForm(text);
  return Object(boundedJson(text, 'the body')) as GivenFields;
}
