const ending = '/_payload.json';

/** The path of the page whose payload `path` names (`/mod/x/_payload.json` is about `/mod/x`); null for other paths. */
export const pageOfPayload = (path: string): string | null =>
  path.endsWith(ending) ? path.slice(0, -ending.length) || '/' : null;

/** The payload address of the page at `to`, so that redirects of pages apply to their payloads. */
export function payloadOfPage(to: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)([?#].*)?$/s.exec(to) ?? [];
  return path.replace(/\/$/, '') + ending + rest;
}

/**
 * A page as data: the page is rendered up to its first line of HTML and exposes what its loaders gave
 * (`Astro.locals.exposeData`). Redirects lead to the payload of the target; a page that exposes nothing answers 404.
 * Source: specification §7 (`GET {path}/_payload.json`).
 */
export function payloadOf(page: Response, data: Record<string, unknown> | undefined): Response {
  void page.body?.cancel().catch(() => {}); // the HTML is not needed
  const location = page.headers.get('location');
  if (location && page.status >= 300 && page.status < 400)
    return new Response(null, { status: page.status, headers: { location: payloadOfPage(location) } });
  if (page.status !== 200 || !data) return refusedPayload(404, 'not_found');
  return Response.json(data, { headers: headerText });
}

/** A refusal in the API's error format. */
export const refusedPayload = (status: number, error: string, description = error): Response =>
  Response.json({ error, description }, { status, headers: headerText });

const headerText = { 'x-robots-tag': 'noindex' };
