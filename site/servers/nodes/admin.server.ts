import type { APIContext } from 'astro';
import { Refused } from '#db/errors.ts';
import { nodeViews } from '#db/nodes/read.ts';
import { listNotices } from '#db/notices/read.ts';
import { whyNotManageNotices } from '#db/notices/rules.ts';
import { isAdmin } from '#db/people/rules.ts';

/** What staff load. Everybody else is told that there is no such page. */

export async function loadNodes({ locals }: APIContext) {
  const { services, currentActor, now } = locals;
  const actor = await currentActor();
  if (!actor || !isAdmin(actor)) throw new Refused('not_found');
  return await nodeViews(services.sql, now);
}

export async function loadNotices({ locals }: APIContext) {
  const { services, currentActor, now } = locals;
  const actor = await currentActor();
  if (whyNotManageNotices(actor)) throw new Refused('not_found');
  return {
    notices: await listNotices(services.sql),
    nodes: await nodeViews(services.sql, now),
    sees_nodes: isAdmin(actor!),
  };
}
