import type { AppServices } from '../context.ts';
import { fill } from './tokens.ts';

/** Where the development server puts its services, because Astro gives prerendered pages no locals. */
export const dev_services = Symbol.for('cairn.dev-services');

/** In development a page or feed is sent as it is rendered, so the settings are filled in at once. */
export async function devFill(page: Response, url: URL): Promise<Response> {
  const services = Reflect.get(globalThis, dev_services) as AppServices | undefined;
  const type = page.headers.get('content-type') ?? '';
  const format = type.includes('json') ? 'json' : 'html';
  if (!services || !/html|json|xml/.test(type)) return page;
  const { settings } = services;
  const hl = url.searchParams.get('hl');
  const text = fill(await page.text(), { settings, build: 'dev', hl, format });
  return new Response(text, { status: page.status, headers: page.headers });
}
