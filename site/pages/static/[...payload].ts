import type { APIRoute } from 'astro';
import { localizePath } from 'astro-i18next';
import { payloadPages } from '../../discovery/payload-pages.ts';
import { languages } from '../../platform/text/languages.ts';

export const prerender = true;

/** The payload of every prerendered page in every language; the middleware renders the page and answers what it exposed. */
export async function getStaticPaths() {
  const pages = await payloadPages();
  return languages.flatMap(({ tag }) =>
    pages.map((path) => ({ params: { payload: `${localizePath(path, tag).slice(1)}/_payload.json` } })),
  );
}

export const GET: APIRoute = () => new Response(null, { status: 404 });
