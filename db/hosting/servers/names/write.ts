import { assertAllowed } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { lockChangeableServer } from '../locked.ts';
import { whyNotHave } from '../rules.ts';
import { type NameSettings, whyNotFree } from './read.ts';
import { normalSubdomain, subdomainLengths } from './rules.ts';

/**
 * Gives a server a name below SERVERS_DOMAIN; null takes it away. The one before is free at once. Refuses as
 * `whyNotHave.options` and `whyNotFree` say.
 */
export async function changeSubdomain(
  db: Db,
  actor: Actor,
  { server_id, name }: { server_id: string; name: string | null },
  settings: NameSettings,
  now: Date,
): Promise<void> {
  const { view } = await lockChangeableServer(db, actor, server_id, now, whyNotHave.options);
  const to = name === null ? null : normalSubdomain(name);
  if (to !== null) {
    const domain = settings.SERVERS_DOMAIN ?? '';
    const data = { name: to.slice(0, 100), domain, ...subdomainLengths };
    assertAllowed(await whyNotFree(db, { server_id, name: to }, settings), data);
  }
  if (to === view.subdomain) return;
  if (to === null) await db`delete from server_subdomains where server_id = ${server_id}`;
  else
    await db`
      insert into server_subdomains (server_id, name) values (${server_id}, ${to})
      on conflict (server_id) do update set name = excluded.name`;
  const data = { from: view.subdomain, to };
  await recordEvent(db, { name: 'server.subdomain_changed', actor_id: actor.user_id, server_id, data });
}
