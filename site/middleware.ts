import { defineMiddleware } from 'astro:middleware';
import type { MiddlewareHandler } from 'astro';
import { messages } from '#content/messages.ts';
import { refusalDescription } from '#content/refusal-description.ts';
import { staffWaiting } from '#db/moderation/staff/waiting.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';
import type { Problem } from './platform/error-page/error-page.ts';
import { browserSession } from './platform/http/browser-session.ts';
import { cookie } from './platform/http/cookies.ts';
import { secure } from './platform/http/headers.ts';
import { pageOfPayload, payloadOf, refusedPayload } from './platform/http/payload.ts';
import { redirectOf, routeRules } from './platform/http/redirects.ts';
import { confirmPath } from './platform/paths/confirm-path.ts';
import { signInPath } from './platform/paths/sign-in-path.ts';
import { prerenderPage } from './platform/static-pages/prerender-page.ts';
import { withEnglishMarked } from './platform/text/english-marked.ts';
import { negotiate, newUndefinedLocale } from './platform/text/languages.ts';

/**
 * The middleware of every page: redirects, language, the current user (only if the page reads it), refusals as error
 * pages (`authentication_required` redirects to sign-in and back, `proof_required` to the page for it), headers. An address that ends in `/_payload.json`
 * gets the page's exposed data instead of the page. Errors that are not refusals are bugs: logged once with the request
 * id, displayed without detail.
 */
export const onRequest = defineMiddleware((context, next) =>
  context.isPrerendered ? prerenderPage(context, next) : renderPage(context, next),
);

const renderPage: MiddlewareHandler = async ({ request, url, locals, routePattern }, next) => {
  const hl = url.searchParams.get('hl');
  const stored = cookie(request, 'locale');
  const language = negotiate({ hl, cookie: stored, accept: request.headers.get('accept-language') });
  const { services } = locals;
  const locale = newUndefinedLocale(hl, stored);
  if (locale !== null) services.log.debug({ locale }, 'An undefined locale was asked for and passed over');
  const about = pageOfPayload(url.pathname);
  locals.messages = messages(language.tag);
  locals.t = locals.messages.t;
  locals.locale = language.tag;
  locals.dir = language.dir;
  locals.now = services.now();
  locals.path = about ?? url.pathname;
  locals.link = (path) =>
    hl ? `${path}${path.includes('?') ? '&' : '?'}hl=${encodeURIComponent(hl)}` : path;
  locals.isPrivate = false;
  locals.isStatic = false;
  let requested: Promise<Actor | null> | undefined;
  let renewed: string[] = [];
  locals.currentActor = () => {
    locals.isPrivate = true;
    requested ??= browserSession(request, services, locals.now).then((session) => {
      renewed = session.cookies;
      return session.actor;
    });
    return requested;
  };
  let waiting: ReturnType<typeof staffWaiting> | undefined;
  locals.staffWaiting = () => {
    waiting ??= staffWaiting(services.sql, locals.now);
    return waiting;
  };
  let exposed: Record<string, unknown> | undefined;
  locals.exposeData = (data) => {
    exposed = data;
  };
  const led = redirectOf(routeRules, url.pathname, url.search);
  let response: Response;
  try {
    if (routePattern === astroImages) throw new Refused('not_found');
    if (led) response = redirectTo(led.to, led.status);
    else if (about !== null) response = payloadOf(await next(about + url.search), exposed);
    else response = await withEnglishMarked(await next(), language.tag);
  } catch (error) {
    const refused = toRefused(error);
    if (!refused)
      services.log.error(
        { err: error, request_id: locals.request_id },
        'An error occurred: a page failed to render; the visitor gets the error page with status 500',
      );
    const status = refused?.status ?? 500;
    // a missing page has texts by its address, and so has one unavailable for legal reasons
    const text = refused && refused.code !== 'not_found' && refused.status !== 451;
    const problem: Problem = text ? { status, text: refusalDescription(refused, language.tag) } : { status };
    locals.problem = problem;
    if (refused?.code === 'authentication_required') {
      const signing_in = redirectTo(locals.link(signInPath(locals.path + url.search)));
      response = about !== null ? payloadOf(signing_in, undefined) : signing_in;
    } else if (refused?.code === 'proof_required' && about === null)
      response = redirectTo(locals.link(confirmPath(locals.path + url.search)));
    else if (about !== null)
      response = refusedPayload(status, refused?.code ?? 'internal_error', refused?.message);
    else {
      const page = await withEnglishMarked(await next('/404'), language.tag);
      response = new Response(page.body, { status, headers: page.headers });
    }
  }
  for (const text of renewed) response.headers.append('set-cookie', text);
  if (response.status === 503) response.headers.set('retry-after', '1');
  return secure(response, locals, services.settings);
};

const redirectTo = (location: string, status = 302): Response =>
  new Response(null, { status, headers: { location } });

/** Astro adds an image endpoint to every server; our images are processed by the build, so it is not used. */
const astroImages = '/_image';
