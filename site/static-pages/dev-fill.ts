import type { AppServices } from '../context.ts';
import { fill } from './tokens.ts';

/** Where the development server puts its services, because Astro gives prerendered pages no locals. */
export const dev_services = Symbol.for('cairn.dev-services');

/** In development the page is sent as it is rendered, so the settings are filled in at once. */
export async function devFill(page: Response, url: URL): Promise<Response> {
  const services = Reflect.get(globalThis, dev_services) as AppServices | undefined;
  if (!services || !page.headers.get('content-type')?.includes('text/html')) return page;
  const { settings } = services;
  const hl = url.searchParams.get('hl');
  const html = fill(await page.text(), { settings, build: 'dev', hl, format: 'html' });
  return new Response(html, { status: page.status, headers: page.headers });
}
