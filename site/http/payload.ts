const ending = '/_payload.json';

/** The path of the page whose data `path` asks for (`/mod/x/_payload.json` is about `/mod/x`); null for other paths. */
export const pageOfPayload = (path: string): string | null =>
  path.endsWith(ending) ? path.slice(0, -ending.length) || '/' : null;

/** Where the data of the page at `to` lies, so that a page that moved takes its data along. */
export function payloadOfPage(to: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(to) ?? [];
  return path.replace(/\/$/, '') + ending + rest;
}

/**
 * What a page shows, as data: the page was made up to its first line of HTML and told what its loaders gave
 * (`Astro.locals.tells`). Redirects lead to the data of the page they lead to; a page that tells nothing has none.
 * Source: specification §7 (`GET {path}/_payload.json`).
 */
export function payloadOf(page: Response, data: Record<string, unknown> | undefined): Response {
  void page.body?.cancel().catch(() => {}); // nobody reads the HTML
  const location = page.headers.get('location');
  if (location && page.status >= 300 && page.status < 400)
    return new Response(null, { status: page.status, headers: { location: payloadOfPage(location) } });
  if (page.status !== 200 || !data) return refusedPayload(404, 'not_found');
  return Response.json(data, { headers: headerText });
}

/** A refusal in the API's words, for programs. */
export const refusedPayload = (status: number, error: string, description = error): Response =>
  Response.json({ error, description }, { status, headers: headerText });

const headerText = { 'x-robots-tag': 'noindex' };
