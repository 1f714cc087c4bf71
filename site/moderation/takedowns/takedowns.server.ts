import type { APIContext } from 'astro';
import { whyNotSeeNodes } from '#db/hosting/nodes/rules.ts';
import {
  findTakedown,
  listTakedowns,
  type TakedownView,
  takedownViews,
} from '#db/moderation/takedowns/read.ts';
import { whyNotTakeDown } from '#db/moderation/takedowns/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import { requireActor } from '../../platform/http/require-actor.ts';
import { takedownsPath } from './paths.ts';

/** How many takedowns a page of the list has. */
const per_page = 20;

/** The requested page of the list of takedowns. Refuses `not_found` to everybody but staff. */
export async function loadTakedowns(page: APIContext) {
  const actor = await requireActor(page, whyNotTakeDown);
  const { services } = page.locals;
  const query = page.url.searchParams;
  const asked = query.get('view') as TakedownView;
  const view = takedownViews.includes(asked) ? asked : 'in_force';
  const text = (query.get('q') ?? '').trim().slice(0, 200).toWellFormed().replaceAll('\0', '');
  const number = Math.min(Math.max(Number.parseInt(query.get('page') ?? '1', 10) || 1, 1), 1000);
  const offset = (number - 1) * per_page;
  const { takedowns, total } = await listTakedowns(services.sql, { view, text, limit: per_page, offset });
  const pages = Math.max(1, Math.ceil(total / per_page));
  const filters = new URLSearchParams({ view, ...(text && { q: text }) });
  const address = `${takedownsPath}?${filters}&page={page}`;
  return { takedowns, view, text, page: number, pages, address, sees_nodes: whyNotSeeNodes(actor) === null };
}

/** One takedown. Refuses `not_found`, to everybody but staff too. */
export async function loadTakedown(page: APIContext) {
  const actor = await requireActor(page, whyNotTakeDown);
  const takedown = await findTakedown(page.locals.services.sql, page.params.id ?? '');
  if (!takedown) throw new Refused('not_found');
  return { takedown, sees_nodes: whyNotSeeNodes(actor) === null };
}
