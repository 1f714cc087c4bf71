import type { MiddlewareHandler } from 'astro';
import { detectLocaleFromPath } from 'astro-i18next';
import { messages } from '#content/messages.ts';
import type { AppServices } from '../context.ts';
import { pageOfPayload, payloadOf } from '../http/payload.ts';
import { withEnglishMarked } from '../text/english-marked.ts';
import { languageOf } from '../text/languages.ts';
import { pathOfStatic, static_folder } from './addresses.ts';
import { devFill } from './dev-fill.ts';
import { hl_token, token } from './tokens.ts';

/**
 * The middleware of prerendered pages: the language is part of the built address, settings are tokens. The payload of a
 * page is what it exposed, as for every other page.
 */
export const prerenderPage: MiddlewareHandler = async ({ url, locals }, next) => {
  const built = url.pathname.replace(/\.html$/, '');
  const localized = built.slice(static_folder.length) || '/';
  const about = pageOfPayload(localized);
  const tag = detectLocaleFromPath(localized);
  const language = languageOf(tag);
  if (!language) throw new Error(`${url.pathname} is in no language of content/locales/languages.json`);
  const path = pathOfStatic(about ?? localized, tag);
  locals.messages = messages(tag);
  Object.assign(locals, {
    services: buildServices(),
    request_id: '',
    build: token('BUILD'),
    tag: () => {},
    t: locals.messages.t,
    locale: tag,
    dir: language.dir,
    now: new Date(),
    path,
    link: withLanguage,
    isPrivate: false,
    isStatic: true,
    currentActor: () => Promise.reject(new Error(`${path} is prerendered: it has no current user`)),
  } satisfies Partial<App.Locals>);
  let exposed: Record<string, unknown> | undefined;
  locals.exposeData = (data) => {
    exposed = data;
  };
  if (about !== null) return payloadOf(await next(static_folder + about), exposed);
  return devFill(await withEnglishMarked(await next(), tag), url);
};

/** Keeps `hl` on links to our own pages; the token is filled in or removed when the page is served. */
function withLanguage(path: string): string {
  const [, address = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(path) ?? [];
  return `${address}${address.includes('?') ? '&' : '?'}hl=${hl_token}${fragment}`;
}

/** What every page may say of the settings: the address of the site and of its files. */
const known = { SITE_URL: token('SITE_URL'), CDN_URL: token('CDN_URL') };

const refuse = (what: string) => {
  throw new Error(
    `A prerendered page used ${what}, which exists only when the product runs: use <WhenSetting>, or load it in a script`,
  );
};

/**
 * The services of pages that are prerendered by the build: tokens instead of settings, no database, no search. Anything
 * else fails the build by its name.
 */
const buildServices = (): AppServices =>
  new Proxy({} as AppServices, {
    get(_, name) {
      if (name === 'settings') return settings;
      if (name === 'now') return () => new Date();
      return refuse(`services.${String(name)}`);
    },
  });

const settings = new Proxy(known, {
  get: (of, name) => (name in of ? Reflect.get(of, name) : refuse(`the setting ${String(name)}`)),
});
