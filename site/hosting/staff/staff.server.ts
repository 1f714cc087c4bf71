import type { APIContext } from 'astro';
import { codeDescription } from '#content/refusal-description.ts';
import { nodeViews } from '#db/hosting/nodes/read.ts';
import { whyNotSeeNodes } from '#db/hosting/nodes/rules.ts';
import { moveViews } from '#db/hosting/servers/moves/read.ts';
import { findServers } from '#db/hosting/servers/staff/read.ts';
import { max_query, pageSizes, searchedStates } from '#db/hosting/servers/staff/rules.ts';
import { requireActor } from '../../platform/http/require-actor.ts';

/** Loads the lists of servers and moves for administrators. Refuses everybody else with 404. */

export async function loadFoundServers(page: APIContext) {
  await requireActor(page, whyNotSeeNodes);
  const { services, now } = page.locals;
  const asked = page.url.searchParams;
  const given = (name: string) =>
    (asked.get(name) ?? '').trim().slice(0, max_query).replaceAll('\0', '').toWellFormed();
  const nodes = (await nodeViews(services.sql, now)).map(({ id, name }) => ({ id, name }));
  const node = nodes.find(({ id }) => id === given('node'));
  const state = searchedStates.find((one) => one === given('state'));
  const search = {
    ...{ query: given('q'), limit: pageSizes.usual },
    ...(state && { state }),
    ...(node && { node_id: node.id }),
    ...(asked.has('after') && { after: given('after').slice(0, 40) }),
  };
  const domain = services.settings.SERVERS_DOMAIN ?? null;
  return { nodes, search, found: await findServers(services.sql, search, { now, domain }) };
}

export async function loadMoves(page: APIContext) {
  await requireActor(page, whyNotSeeNodes);
  const given = page.url.searchParams.get('before');
  const before = given && /^[0-9a-f-]{36}$/.test(given) ? given : null;
  const { services, messages } = page.locals;
  const { moves, next } = await moveViews(services.sql, before);
  const why = (code: string | null) => code && codeDescription(code, messages.locale);
  return { before, first: { moves: moves.map((move) => ({ ...move, why: why(move.error) })), next } };
}

export async function loadZone(page: APIContext) {
  await requireActor(page, whyNotSeeNodes);
  return { domain: page.locals.services.settings.SERVERS_DOMAIN ?? null };
}
