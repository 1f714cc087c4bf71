import type { APIContext } from 'astro';
import { nodeViews } from '#db/hosting/nodes/read.ts';
import { whyNotSeeNodes } from '#db/hosting/nodes/rules.ts';
import { listNotices } from '#db/hosting/notices/read.ts';
import { whyNotManageNotices } from '#db/hosting/notices/rules.ts';
import { planeViews } from '#db/hosting/planes/read.ts';
import { requireActor } from '../../platform/http/require-actor.ts';

/** Loads the staff pages of hosting. Refuses everybody else with 404. */

export async function loadNodes(page: APIContext) {
  await requireActor(page, whyNotSeeNodes);
  const { sql } = page.locals.services;
  return { nodes: await nodeViews(sql, page.locals.now), planes: await planeViews(sql) };
}

export async function loadNotices(page: APIContext) {
  const actor = await requireActor(page, whyNotManageNotices);
  const { services, now } = page.locals;
  return {
    notices: await listNotices(services.sql),
    nodes: await nodeViews(services.sql, now),
    sees_nodes: whyNotSeeNodes(actor) === null,
  };
}
