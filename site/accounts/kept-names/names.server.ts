import type { APIContext } from 'astro';
import { whyNotReleaseNames } from '#db/accounts/account/release-name.ts';
import { whyNotSeeNodes } from '#db/hosting/nodes/rules.ts';
import { keptNames } from '#db/platform/names/list.ts';
import { daysLeft, keptKinds } from '#db/platform/names/rules.ts';
import { requireActor } from '../../platform/http/require-actor.ts';
import { namesPath } from './paths.ts';

/** How many names a page of the list has. */
const per_page = 20;

/** The requested page of the list of kept names. Refuses `not_found` to everybody but staff. */
export async function loadKeptNames(page: APIContext) {
  const actor = await requireActor(page, whyNotReleaseNames);
  const { services, now } = page.locals;
  const query = page.url.searchParams;
  const kind = keptKinds.find((one) => one === query.get('kind')) ?? null;
  const text = (query.get('q') ?? '').trim().slice(0, 100).toWellFormed().replaceAll('\0', '');
  const number = Math.min(Math.max(Number.parseInt(query.get('page') ?? '1', 10) || 1, 1), 1000);
  const offset = (number - 1) * per_page;
  const { names, total } = await keptNames(services.sql, { kind, text, limit: per_page, offset });
  const filters = new URLSearchParams({ ...(kind && { kind }), ...(text && { q: text }) });
  return {
    kind,
    text,
    names: names.map((one) => ({ ...one, days_left: daysLeft(one.since, now) })),
    page: number,
    pages: Math.max(1, Math.ceil(total / per_page)),
    address: `${namesPath}?${filters.size > 0 ? `${filters}&` : ''}page={page}`,
    sees_nodes: whyNotSeeNodes(actor) === null,
  };
}
