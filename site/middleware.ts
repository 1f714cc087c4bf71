import { defineMiddleware } from 'astro:middleware';
import { messages } from '#content/messages.ts';
import { Refused } from '#db/errors.ts';
import { actorOf } from '#db/people/read.ts';
import type { Actor } from '#db/people/rules.ts';
import { toRefused } from '#db/to-refused.ts';
import { cookie, cookieToken } from './http/cookies.ts';
import { secure } from './http/headers.ts';
import { pageOfPayload, payloadOf, refusedPayload } from './http/payload.ts';
import { redirectOf, routeRules } from './http/redirects.ts';
import { signInPath } from './http/sign-in-path.ts';
import { negotiate } from './text/languages.ts';

/**
 * What every page goes through: route rules, language, the signed-in person (only if the page asks), refusals as error
 * pages (`authentication_required` leads to sign in and back), headers.
 * An address that ends in `/_payload.json` gets what its page tells instead of the page.
 * Errors that are no refusals are bugs: logged once with the request's id, shown without detail.
 */
export const onRequest = defineMiddleware(async ({ request, url, locals, routePattern }, next) => {
  const hl = url.searchParams.get('hl');
  const language = negotiate({
    hl,
    cookie: cookie(request, 'locale'),
    accept: request.headers.get('accept-language'),
  });
  const { services } = locals;
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
  let requested: Promise<Actor | null> | undefined;
  locals.currentActor = () => {
    locals.isPrivate = true;
    requested ??= actorLoader(request, locals);
    return requested;
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
    else response = await next();
  } catch (error) {
    const refused = toRefused(error);
    if (!refused) services.log.error({ err: error, request_id: locals.request_id }, 'page failed');
    const status = refused?.status ?? 500;
    // what is missing has words by its address, what the law keeps away has its own
    const text = refused && refused.code !== 'not_found' && refused.status !== 451;
    locals.problem = text
      ? { status, text: locals.t(`error.${refused.code}`, refused.data as never) }
      : { status };
    if (refused?.code === 'authentication_required') {
      const signing_in = redirectTo(locals.link(signInPath(locals.path + url.search)));
      response = about !== null ? payloadOf(signing_in, undefined) : signing_in;
    } else if (about !== null)
      response = refusedPayload(status, refused?.code ?? 'internal_error', refused?.message);
    else {
      const page = await next('/404');
      response = new Response(page.body, { status, headers: page.headers });
    }
  }
  return secure(response, locals, services.settings);
});

const redirectTo = (location: string, status = 302): Response =>
  new Response(null, { status, headers: { location } });

/** Astro adds a picture endpoint to every server; our pictures are made by the build, so it only costs work. */
const astroImages = '/_image';

/** The session of the cookie; a broken or ended one counts as none. */
async function actorLoader(request: Request, { services, now }: App.Locals): Promise<Actor | null> {
  const token = cookieToken(request, services.settings.SITE_URL);
  if (!token) return null;
  return await actorOf(services.sql, token, now).catch((error: unknown) => {
    if (error instanceof Refused) return null;
    throw error;
  });
}
